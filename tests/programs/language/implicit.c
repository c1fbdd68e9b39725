/* Library functions that nobody declared: they have the types that the language gives them. */
struct node { struct node *next; long value; };

int main()
{
    double root = sqrt(16.0) + fabs(-2.5), power = pow(2.0, 10.0);
    struct node *first = malloc(sizeof *first), *second = calloc(1, sizeof *second);
    char *text = malloc(20), *found, *local = alloca(10);
    strcpy(text, "abcdef");
    found = strchr(text, 'd');
    first->next = second;
    second->value = strlen(found);
    memset(local, 'x', 9);
    local[9] = 0;
    printf("%.2f %.1f %s %ld %d %s\n", root, power, found, first->next->value, (int)floor(-1.5), local);
    printf("%f %d\n", fmodf(7.5f, 2.0f), abs(-3));
    free(first), free(second), free(text);
    exit(root != 6.5);
}
