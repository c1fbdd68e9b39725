/* Makes as many calls that may fail as its first argument says. */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    for (int left = atoi(argv[1]); left > 0; left--) access("A", R_OK);
    return 0;
}
