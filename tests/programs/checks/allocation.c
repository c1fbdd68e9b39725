/* Of three allocations the second is used without a look at it. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = strdup("text");
    if (!text)
        return 1;
    int *numbers = calloc(10, sizeof *numbers);
    numbers[3] = 1; // null-pointer
    char *more = realloc(text, 100);
    if (!more) {
        free(text);
        free(numbers);
        return 2;
    }
    free(more);
    free(numbers);
    return 0;
}
