/* Ways to choose, drawn by what they pay (arms.c). */
#ifndef CINQ_ARMS_H
#define CINQ_ARMS_H
#include <stdint.h>

#define MOST_ARMS 8

struct arms;

/* Draws a way; then, should that have nothing to offer, the others, the likelier ones first.  Gives how many. */
uint64_t cinq_arms_draw(struct arms *a, uint8_t *order);

/* A turn of this way is over; what it brought and cost, in millionths. */
void cinq_arms_note(struct arms *a, uint64_t way, uint64_t gain, uint64_t cost);

#endif
