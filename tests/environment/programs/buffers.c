#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char *p = malloc(8);
    switch (argv[1][0]) {
    case 'n': read(0, 0, 4); break;
    case 'f': free(p); write(1, p, 4); break;
    case 's': stat(".", (struct stat *)p); break;
    }
    return 0;
}
