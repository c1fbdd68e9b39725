/* arguments: --sym-args 0 3 4 -v --sym-arg 6 --sym-args 1 2 3 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    static const struct option longs[] = {{"size", required_argument, 0, 's'}, {"all", no_argument, 0, 'a'}, {0}};
    int c, all = 0, verbose = 0, number = 0, unknown = 0;
    printf("%s %d\n", argv[0], argc);
    for (int i = 1; i < argc; i++) printf("<%s>", argv[i]);
    opterr = 0;
    while ((c = getopt_long(argc, argv, "avn:s:", longs, 0)) != -1)
        switch (c) {
        case 'a': all++; break;
        case 'v': verbose++; break;
        case 'n': number = atoi(optarg); break;
        case 's': number = strtol(optarg, 0, 0); break;
        default: unknown++;
        }
    printf("%d %d %d %d\n", all, verbose, number, unknown);
    for (; optind < argc; optind++)
        if (!strcmp(argv[optind], "x") || strlen(argv[optind]) > 3) puts(argv[optind]);
    return number > 3 ? 4 : argc;
}
