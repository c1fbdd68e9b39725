/* Libraries are not loaded at run time: nothing is found, as in every static program, and that is reported. */
#include <dlfcn.h>

void cinq_unmodelled_loading(void);
void __dl_seterr(const char *, ...);

void *dlopen(const char *file, int mode)
{
    cinq_unmodelled_loading();
    __dl_seterr("Dynamic loading not supported");
    return 0;
}

void *dlsym(void *restrict library, const char *restrict name)
{
    cinq_unmodelled_loading();
    __dl_seterr("Symbol not found: %s", name);
    return 0;
}
