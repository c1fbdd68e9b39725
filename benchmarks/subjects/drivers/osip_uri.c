/* Parses standard input as a SIP URI, as the headers From and Via, and writes back what it found. */
#include <osipparser2/osip_parser.h>
#include <stdio.h>
#include <stdlib.h>

static int uri(const char *text)
{
    osip_uri_t *found;
    char *written = NULL;
    if (osip_uri_init(&found) != 0) return 2;
    int status = osip_uri_parse(found, text);
    if (status == 0 && osip_uri_to_str(found, &written) == 0) puts(written);
    osip_free(written);
    osip_uri_free(found);
    return status != 0;
}

static int from(const char *text)
{
    osip_from_t *found;
    char *written = NULL;
    if (osip_from_init(&found) != 0) return 2;
    int status = osip_from_parse(found, text);
    if (status == 0 && osip_from_to_str(found, &written) == 0) puts(written);
    osip_free(written);
    osip_from_free(found);
    return status != 0;
}

static int via(const char *text)
{
    osip_via_t *found;
    char *written = NULL;
    if (osip_via_init(&found) != 0) return 2;
    int status = osip_via_parse(found, text);
    if (status == 0 && osip_via_to_str(found, &written) == 0) puts(written);
    osip_free(written);
    osip_via_free(found);
    return status != 0;
}

int main(void)
{
    char text[128];
    size_t length = fread(text, 1, sizeof text - 1, stdin);
    text[length] = 0;
    parser_init();
    return uri(text) + from(text) + via(text);
}
