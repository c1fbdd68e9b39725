/* Parses the file A as a module of ASN.1 definitions. */
#include <libtasn1.h>
#include <stdio.h>

int main(void)
{
    asn1_node definitions = NULL;
    char message[ASN1_MAX_ERROR_DESCRIPTION_SIZE];
    int status = asn1_parser2tree("A", &definitions, message);
    if (status == ASN1_SUCCESS) asn1_print_structure(stdout, definitions, "", ASN1_PRINT_ALL);
    else puts(message);
    asn1_delete_structure(&definitions);
    return status != ASN1_SUCCESS;
}
