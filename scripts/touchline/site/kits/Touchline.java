// The Java kit of Touchline 1.0.0 in one file, with the standard library only (17 or later).
//
//     var api = new Touchline("https://api.example.org", "tk_...", "the secret");
//     String standings = api.get("/v1/tournaments/5f1d.../standings"); // JSON, for the parser of your choice
//     for (String page : api.pages("/v1/tournaments/5f1d.../matches?status=finished")) { ... }
//
// It goes through the proxy that the system properties name, as all of Java does
// (-Dhttps.proxyHost=proxy.example.org -Dhttps.proxyPort=3128).
// Keep the secret on a server: whoever has it can ask everything that you can.
//
// SPDX-License-Identifier: 0BSD

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

public final class Touchline {
    static final String EMPTY_BODY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    static final int ATTEMPTS = 4;
    static final long LONGEST_WAIT = 120; // seconds
    static final Pattern ESCAPE = Pattern.compile("%[0-9a-fA-F]{2}");
    static final Pattern CODE = Pattern.compile("\"code\"\\s*:\\s*\"([A-Za-z]+)\"");
    static final Pattern MORE = Pattern.compile("\"hasMore\"\\s*:\\s*true");

    /**
     * A refusal. Branch on status and code; quote requestId when you report it. status
     * is 0, and headers are empty, where no whole answer came, after every attempt; it
     * is 200 where an answer is not the service's, such as the page of a network that
     * wants a login.
     */
    public static final class Refused extends IOException {
        public final int status;
        public final String code;
        public final String body;
        public final String requestId;
        public final HttpHeaders headers;

        Refused(int status, String body, HttpHeaders headers, IOException lost) {
            super(status + ": " + body, lost);
            this.status = status;
            this.body = body;
            this.headers = headers;
            requestId = headers.firstValue("X-Request-Id").orElse(null);
            var found = CODE.matcher(body);
            code = found.find() ? found.group(1) : null;
        }
    }

    private static final HttpHeaders NO_HEADERS = HttpHeaders.of(Map.of(), (name, value) -> true);

    private final URI base;
    private final String keyId;
    private final String secret;
    private final LongConsumer sleep;
    private final SecureRandom random = new SecureRandom();
    /** The milliseconds that one attempt may take, its whole body included. */
    public int timeout = 30_000;
    private long offset; // seconds that the service's clock is ahead of ours
    private HttpHeaders headers = NO_HEADERS;

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
        this.base = URI.create(baseUrl.replaceAll("/+$", ""));
        this.keyId = keyId;
        this.secret = secret;
        this.sleep = sleep;
    }

    /** The body of one GET of a path with its query. Throws Refused where it is refused. */
    public String get(String target) throws IOException {
        boolean corrected = false;
        for (int attempt = 1;; attempt++) {
            long sent = Instant.now().getEpochSecond();
            int status = 0;
            String body = "";
            IOException lost = null;
            headers = NO_HEADERS;
            try {
                var answer = send(target, Long.toString(sent + offset));
                status = answer.status;
                body = answer.body;
                headers = answer.headers;
                if (status == 200 && body.startsWith("{")) {
                    return body;
                }
                if (status == 401 && !corrected && correct(answer, sent)) {
                    corrected = true;
                    attempt--;
                    continue;
                }
            } catch (IOException e) {
                lost = e;
                body = "no answer: " + e.getMessage();
            }
            var after = headers.firstValue("Retry-After");
            long wait = switch (status) {
                case 429 -> retryAfter(after.orElse("60"));
                case 503 -> after.isPresent() ? retryAfter(after.get()) : 1L << (attempt - 1);
                case 0, 500, 502, 504 -> 1L << (attempt - 1);
                default -> Long.MAX_VALUE;
            };
            if (wait > LONGEST_WAIT || attempt >= ATTEMPTS) {
                throw new Refused(status, body, headers, lost);
            }
            sleep.accept(wait);
        }
    }

    /** The body of every page of a list. */
    public List<String> pages(String target) throws IOException {
        return pages(target, 100);
    }

    public List<String> pages(String target, int limit) throws IOException {
        var pages = new ArrayList<String>();
        String body;
        do {
            body = get(target + (target.contains("?") ? "&" : "?") + "limit=" + limit + "&page=" + (pages.size() + 1));
            pages.add(body);
        } while (MORE.matcher(body).find());
        return pages;
    }

    /** Of the last answer, such as X-RateLimit-Remaining. */
    public HttpHeaders headers() {
        return headers;
    }

    /** Seconds, given as such or as a date. */
    private static long retryAfter(String after) {
        if (after.matches("[0-9]{1,18}")) {
            return Long.parseLong(after);
        }
        try {
            return Math.max(ZonedDateTime.parse(after, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond() - Instant.now().getEpochSecond(), 0);
        } catch (DateTimeException e) {
            return 60;
        }
    }

    private record Answer(int status, HttpHeaders headers, String body) {
    }

    private Answer send(String target, String timestamp) throws IOException {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        String nonce = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes); // new for each attempt
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String query = mark < 0 ? "" : target.substring(mark + 1);
        URI.create(base + target); // throws where one of them is no address
        String request = String.join("\r\n", "GET " + base.getRawPath() + target + " HTTP/1.1",
            "Host: " + base.getRawAuthority(),
            "Connection: close",
            "Accept-Encoding: gzip",
            "X-Service-Key: " + keyId,
            "X-Service-Timestamp: " + timestamp,
            "X-Service-Nonce: " + nonce,
            "X-Service-Signature: " + signature(secret, canonical("GET", path, query, timestamp, nonce)), "", "");
        var proxy = ProxySelector.getDefault().select(base).get(0);
        try (var socket = new Socket(proxy)) {
            var limit = new CompletableFuture<Void>().completeOnTimeout(null, timeout, TimeUnit.MILLISECONDS);
            limit.thenRun(() -> close(socket)); // ends what waits for it
            var answer = exchange(socket, proxy, request);
            if (!limit.cancel(false)) {
                throw new IOException("none within " + timeout + " ms");
            }
            return answer;
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new IOException("this is no HTTP", e);
        }
    }

    /**
     * Sends a request over a connection of its own. The clients of the JDK send one whose
     * connection was lost once more by themselves, with a nonce that was used.
     */
    private Answer exchange(Socket plain, Proxy proxy, String request) throws IOException {
        boolean tls = base.getScheme().equals("https");
        int port = base.getPort() > 0 ? base.getPort() : tls ? 443 : 80;
        String host = base.getHost();
        // The proxy looks the name up.
        plain.connect(proxy.type() == Proxy.Type.DIRECT ? new InetSocketAddress(host, port) : InetSocketAddress.createUnresolved(host, port), timeout);
        Socket socket = plain;
        if (tls) {
            var secure = (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault()).createSocket(plain, host, port, true);
            var parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            socket = secure;
        }
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        var all = new ByteArrayOutputStream();
        boolean whole = true;
        try {
            socket.getInputStream().transferTo(all);
        } catch (IOException e) {
            whole = false; // unless its length says otherwise
        }
        return read(all.toString(StandardCharsets.ISO_8859_1), whole);
    }

    /** Reads an answer, a character a byte. */
    private static Answer read(String text, boolean whole) throws IOException {
        while (text.startsWith("HTTP/1.1 1")) {
            text = text.substring(text.indexOf("\r\n\r\n") + 4);
        }
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new EOFException("the connection was lost");
        }
        String[] head = text.substring(0, end).split("\r\n");
        var fields = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        for (String line : Arrays.asList(head).subList(1, head.length)) {
            int colon = Math.max(line.indexOf(':'), 0);
            fields.computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>()).add(line.substring(colon + 1).strip());
        }
        var headers = HttpHeaders.of(fields, (name, value) -> !name.isEmpty());
        String sent = text.substring(end + 4);
        long length = headers.firstValueAsLong("Content-Length").orElse(-1);
        if (headers.firstValue("Transfer-Encoding").orElse("").equalsIgnoreCase("chunked")) {
            sent = chunks(sent);
        } else if (sent.length() < length || length < 0 && !whole) {
            throw new EOFException("the answer is cut");
        }
        byte[] body = sent.getBytes(StandardCharsets.ISO_8859_1);
        if (headers.firstValue("Content-Encoding").orElse("").equals("gzip")) {
            body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
        }
        return new Answer(Integer.parseInt(head[0].split(" ")[1]), headers, new String(body, StandardCharsets.UTF_8));
    }

    private static String chunks(String sent) throws IOException {
        var body = new StringBuilder();
        for (int at = 0;;) {
            int line = sent.indexOf("\r\n", at);
            int size = line < 0 ? -1 : Integer.parseInt(sent.substring(at, line).split(";")[0].strip(), 16);
            if (size == 0) {
                return body.toString();
            }
            at = line + 2 + size + 2;
            if (size < 0 || at > sent.length()) {
                throw new EOFException("the answer is cut");
            }
            body.append(sent, line + 2, line + 2 + size);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is of no more use anyhow
        }
    }

    /** After a 401: takes the service's clock from Date; says whether ours was off. */
    private boolean correct(Answer answer, long sent) {
        try {
            String date = answer.headers.firstValue("Date").orElse("");
            long seen = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond() - sent;
            if (Math.abs(seen - offset) < 60 || Math.abs(seen) > 86_400) { // by a day at most
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
