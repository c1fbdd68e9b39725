/* Asks what its standard streams are, if it has an argument; prints a line in any case. */
#include <stdio.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct termios settings;
    struct stat status;
    (void)argv;
    if (argc == 1) {
        puts("never asked");
        return 0;
    }
    int in = isatty(0), out = isatty(1), device = !fstat(0, &status) && S_ISCHR(status.st_mode);
    int set = !tcgetattr(0, &settings) && !tcsetattr(0, TCSANOW, &settings);
    printf("in %d out %d agree %d\n", in, out, in == device && in == set);
    return 0;
}
