/* Encodes standard input as one simple value: its first byte says of which type. */
#include <libtasn1.h>
#include <stdio.h>

int main(void)
{
    unsigned char input[12] = {0}, head[ASN1_MAX_TL_SIZE];
    unsigned size = sizeof head;
    fread(input, 1, sizeof input, stdin);
    int status = asn1_encode_simple_der(input[0], input + 1, sizeof input - 1, head, &size);
    printf("%d %u\n", status, size);
    return status != ASN1_SUCCESS;
}
