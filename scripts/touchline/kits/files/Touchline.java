// Touchline in one file, with Java's standard library only (17 or later).
//
//     var api = new Touchline("https://api.example.org", "tk_...", "the secret");
//     String standings = api.get("/v1/tournaments/5f1d.../standings"); // JSON, for the parser of your choice
//     for (String page : api.pages("/v1/tournaments/5f1d.../matches?status=finished")) { ... }
//
// Keep the secret on a server: whoever has it can ask everything that you can.

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Touchline {
    static final String EMPTY_BODY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    static final int ATTEMPTS = 4;
    static final long LONGEST_WAIT = 120; // seconds
    static final Pattern ESCAPE = Pattern.compile("%[0-9a-fA-F]{2}");
    static final Pattern CODE = Pattern.compile("\"code\"\\s*:\\s*\"([A-Za-z]+)\"");
    static final Pattern MORE = Pattern.compile("\"hasMore\"\\s*:\\s*true");

    /** A refusal. Branch on status and code; quote requestId when you report it. */
    public static final class Refused extends IOException {
        public final int status;
        public final String code;
        public final String body;
        public final String requestId;

        Refused(HttpResponse<String> answer) {
            super(answer.statusCode() + ": " + answer.body());
            status = answer.statusCode();
            body = answer.body();
            requestId = answer.headers().firstValue("X-Request-Id").orElse(null);
            var found = CODE.matcher(body);
            code = found.find() ? found.group(1) : null;
        }
    }

    private final String baseUrl;
    private final String keyId;
    private final String secret;
    private final LongConsumer sleep;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(30)).build();
    private final SecureRandom random = new SecureRandom();
    private long offset; // seconds that the service's clock is ahead of ours

    public Touchline(String baseUrl, String keyId, String secret) {
        this(baseUrl, keyId, secret, seconds -> {
            try {
                Thread.sleep(seconds * 1000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    Touchline(String baseUrl, String keyId, String secret, LongConsumer sleep) {
        this.baseUrl = baseUrl.replaceAll("/+$", "");
        this.keyId = keyId;
        this.secret = secret;
        this.sleep = sleep;
    }

    /** The body of one GET of a path with its query. Throws Refused where it is refused. */
    public String get(String target) throws IOException, InterruptedException {
        boolean corrected = false;
        for (int attempt = 1;; attempt++) {
            long sent = Instant.now().getEpochSecond();
            HttpResponse<String> answer = send(target, Long.toString(sent + offset));
            int status = answer.statusCode();
            if (status == 200) {
                return answer.body();
            }
            if (status == 401 && !corrected && correct(answer, sent)) {
                corrected = true;
                continue;
            }
            long wait = switch (status) {
                case 429 -> answer.headers().firstValueAsLong("Retry-After").orElse(60);
                case 500, 502, 503, 504 -> 1L << (attempt - 1);
                default -> Long.MAX_VALUE;
            };
            if (wait > LONGEST_WAIT || attempt >= ATTEMPTS) {
                throw new Refused(answer);
            }
            sleep.accept(wait);
        }
    }

    /** The body of every page of a list. */
    public List<String> pages(String target) throws IOException, InterruptedException {
        return pages(target, 100);
    }

    public List<String> pages(String target, int limit) throws IOException, InterruptedException {
        var pages = new ArrayList<String>();
        String body;
        do {
            body = get(target + (target.contains("?") ? "&" : "?") + "limit=" + limit + "&page=" + (pages.size() + 1));
            pages.add(body);
        } while (MORE.matcher(body).find());
        return pages;
    }

    private HttpResponse<String> send(String target, String timestamp) throws IOException, InterruptedException {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes); // new for each attempt
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String query = mark < 0 ? "" : target.substring(mark + 1);
        var request = HttpRequest.newBuilder(URI.create(baseUrl + target)).timeout(Duration.ofSeconds(30))
            .header("X-Service-Key", keyId)
            .header("X-Service-Timestamp", timestamp)
            .header("X-Service-Nonce", nonce)
            .header("X-Service-Signature", signature(secret, canonical("GET", path, query, timestamp, nonce)))
            .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    /** After a 401: takes the service's clock from Date; says whether ours was off. */
    private boolean correct(HttpResponse<String> answer, long sent) {
        try {
            String date = answer.headers().firstValue("Date").orElse("");
            long seen = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond() - sent;
            if (Math.abs(seen - offset) < 60) {
                return false;
            }
            offset = seen;
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** The string that is signed: six fields, a line feed between them. */
    public static String canonical(String method, String path, String query, String timestamp, String nonce) {
        String escaped = ESCAPE.matcher(path).replaceAll(found -> found.group().toUpperCase(Locale.ROOT));
        return String.join("\n", method.toUpperCase(Locale.ROOT), escaped, canonicalQuery(query), timestamp, nonce, EMPTY_BODY);
    }

    /** The query as it is signed: each key and value encoded, the pairs sorted. */
    public static String canonicalQuery(String query) {
        return Arrays.stream(query.split("&")).filter(part -> !part.isEmpty()).map(part -> {
            int at = part.indexOf('=');
            return at < 0 ? new String[] {encode(part), ""} : new String[] {encode(part.substring(0, at)), encode(part.substring(at + 1))};
        }).sorted((a, b) -> a[0].equals(b[0]) ? a[1].compareTo(b[1]) : a[0].compareTo(b[0]))
            .map(pair -> pair[0] + "=" + pair[1]).collect(Collectors.joining("&"));
    }

    /** A key or value of a query, decoded to bytes and encoded again. */
    static String encode(String text) {
        byte[] sent = text.getBytes(StandardCharsets.UTF_8);
        var encoded = new StringBuilder();
        for (int i = 0; i < sent.length; i++) {
            int b = sent[i] & 0xff;
            if (b == '%') {
                b = HexFormat.fromHexDigits(new String(sent, i + 1, 2, StandardCharsets.ISO_8859_1));
                i += 2;
            }
            boolean literal = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '.' || b == '_' || b == '~';
            encoded.append(literal ? String.valueOf((char) b) : String.format("%%%02X", b));
        }
        return encoded.toString();
    }

    public static String signature(String secret, String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
