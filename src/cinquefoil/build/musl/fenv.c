/* The floating-point environment: expressions are rounded to nearest, so no other mode is to be had, and what
 * arithmetic raises is not kept.  Whoever asks for either is told, and it is reported; exceptions that a program raises
 * by name are there. */
#include <fenv.h>

void cinq_unmodelled_float(void);

#define ROUNDING 0x6000 /* of mxcsr */
#define USUAL 0x1f80

static int raised;

int feclearexcept(int mask)
{
    raised &= ~mask;
    return 0;
}

int feraiseexcept(int mask)
{
    raised |= mask & FE_ALL_EXCEPT;
    return 0;
}

/* For libm, which only saves and restores what it disturbs. */
int __quiet_fetestexcept(int mask) { return raised & mask; }

int fetestexcept(int mask)
{
    cinq_unmodelled_float();
    return raised & mask;
}

int fegetround(void) { return FE_TONEAREST; }

int __fesetround(int mode)
{
    if (mode == FE_TONEAREST) return 0;
    cinq_unmodelled_float();
    return -1;
}

int fegetenv(fenv_t *to)
{
    *to = (fenv_t){ .__control_word = 0x37f, .__tags = 0xffff, .__mxcsr = USUAL | raised };
    return 0;
}

int fesetenv(const fenv_t *from)
{
    unsigned state = from == FE_DFL_ENV ? USUAL : from->__mxcsr;
    raised = state & FE_ALL_EXCEPT;
    return state & ROUNDING ? __fesetround(FE_UPWARD) : 0;
}
