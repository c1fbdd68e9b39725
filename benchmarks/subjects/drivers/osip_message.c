/* Parses standard input as one SIP message and writes it back. */
#include <osipparser2/osip_parser.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char text[512];
    size_t length = fread(text, 1, sizeof text - 1, stdin), size = 0;
    char *written = NULL;
    osip_message_t *message;
    text[length] = 0;
    parser_init();
    if (osip_message_init(&message) != 0) return 2;
    int status = osip_message_parse(message, text, length);
    if (status == 0 && osip_message_to_str(message, &written, &size) == 0) printf("%zu\n", size);
    osip_free(written);
    osip_message_free(message);
    return status != 0;
}
