#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int failed(long result) { return result < 0 ? errno : 0; }

int main(void)
{
    int a = failed(socket(AF_INET, SOCK_STREAM, 0)), b = failed(socket(AF_INET, SOCK_STREAM, 0)), c = failed(fork());
    printf("%d %d %d\n", a, b, c);
    return 0;
}
