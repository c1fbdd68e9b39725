/* Intrinsics that only compute, some of which need instructions that the command line does not name. */
#pragma GCC target("sse4.2,ssse3,popcnt")
#include <immintrin.h>
#include <stdio.h>
#include <x86intrin.h>

int main(int argc, char **argv)
{
    char text[32] = "hello world, this is a test...";
    __m128i x = _mm_loadu_si128((__m128i *)text);
    printf("%x\n", _mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8('o'))));
    x = _mm_add_epi32(x, _mm_slli_epi32(x, argc));
    printf("%d\n", _mm_extract_epi8(
                       _mm_shuffle_epi8(x, _mm_set_epi8(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0)), 3));
    x = _mm_mulhi_epi16(_mm_unpacklo_epi8(_mm_packus_epi16(x, x), _mm_setzero_si128()), x);
    printf("%d\n", _mm_cvtsi128_si32(_mm_madd_epi16(_mm_sad_epu8(x, _mm_set1_epi8(3)), _mm_set1_epi16(7))));
    double roots[2];
    _mm_storeu_pd(roots, _mm_sqrt_pd(_mm_set_pd(2, argc)));
    printf("%g %g %x %d\n", roots[0], roots[1], (unsigned)_mm_crc32_u8(0, argc), _mm_popcnt_u32(argc + 6));
    unsigned long long now = __rdtsc();
    _mm_pause();
    _mm_mfence();
    printf("%d\n", __rdtsc() > now);
    return 0;
}
