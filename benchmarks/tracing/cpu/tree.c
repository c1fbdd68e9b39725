#include <stdio.h>
#include <stdlib.h>
struct node { int key, count; struct node *left, *right; };
static struct node *insert(struct node *root, int key)
{
    struct node **at = &root;
    while (*at) {
        if ((*at)->key == key) { (*at)->count++; return root; }
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
    return root;
}
int main(void)
{
    struct node *root = 0;
    unsigned seed = 7, depth = 0;
    for (int i = 0; i < 200000; i++) {
        seed = seed * 1103515245 + 12345;
        root = insert(root, (int)(seed >> 10));
    }
    for (struct node *n = root; n; n = n->left) depth++;
    printf("%u\n", depth);
    return 0;
}
