#include <stdio.h>
#define N 2000000
static char composite[N];
int main(void)
{
    int count = 0, sum = 0;
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < N; i++) composite[i] = 0;
        for (int i = 2; i < N; i++) {
            if (composite[i]) continue;
            count++;
            sum += i;
            for (long j = (long)i * i; j < N; j += i) composite[j] = 1;
        }
    }
    printf("%d %d\n", count, sum);
    return 0;
}
