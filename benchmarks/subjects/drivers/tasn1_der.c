/* Decodes standard input as DER of the type `Test.Record` (file test.asn), then encodes it again. */
#include <libtasn1.h>
#include <stdio.h>

int main(void)
{
    asn1_node definitions = NULL, record = NULL;
    char message[ASN1_MAX_ERROR_DESCRIPTION_SIZE] = "";
    unsigned char input[64], output[256];
    int length = (int)fread(input, 1, sizeof input, stdin), size = sizeof output;
    if (asn1_parser2tree("test.asn", &definitions, message) != ASN1_SUCCESS) return 2;
    if (asn1_create_element(definitions, "Test.Record", &record) != ASN1_SUCCESS) return 3;
    int status = asn1_der_decoding(&record, input, length, message);
    if (status == ASN1_SUCCESS) {
        asn1_print_structure(stdout, record, "", ASN1_PRINT_NAME_TYPE_VALUE);
        status = asn1_der_coding(record, "", output, &size, message);
        printf("%d %d\n", status, size);
    }
    asn1_delete_structure(&record);
    asn1_delete_structure(&definitions);
    return status != ASN1_SUCCESS;
}
