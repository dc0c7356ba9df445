// The C# kit of Touchline 1.0.0 in one file, with the standard library only (.NET 6 or
// later, .NET Framework 4.7.2 or Mono 6).
//
//     var api = new Touchline("https://api.example.org", "tk_...", "the secret");
//     string standings = api.Get("/v1/tournaments/5f1d.../standings"); // JSON, for the parser of your choice
//     foreach (string page in api.Pages("/v1/tournaments/5f1d.../matches?status=finished")) { ... }
//
// Keep the secret on a server: whoever has it can ask everything that you can.
//
// SPDX-License-Identifier: 0BSD

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;

public sealed class Touchline
{
    const string EmptyBody = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const int Attempts = 4;
    const long LongestWait = 120; // seconds
    static readonly Regex Escape = new Regex("%[0-9a-fA-F]{2}");
    static readonly Regex CodeField = new Regex("\"code\"\\s*:\\s*\"([A-Za-z]+)\"");
    static readonly Regex More = new Regex("\"hasMore\"\\s*:\\s*true");

    /// <summary>
    /// A refusal. Branch on Status and Code; quote RequestId when you report it. Status
    /// is 0 where no whole answer came, after every attempt, and 200 where an answer is
    /// not the service's, such as the page of a network that wants a login.
    /// </summary>
    public sealed class Refused : IOException
    {
        public int Status { get; }
        public string Code { get; }
        public string Body { get; }
        public string RequestId { get; }
        public HttpResponseHeaders Headers { get; }

        internal Refused(int status, string body, HttpResponseHeaders headers, Exception lost) : base(status + ": " + body, lost)
        {
            Status = status;
            Body = body;
            Headers = headers;
            RequestId = First(headers, "X-Request-Id");
            var found = CodeField.Match(body);
            Code = found.Success ? found.Groups[1].Value : null;
        }
    }

    /// <summary>Of the last answer, such as X-RateLimit-Remaining; null before one.</summary>
    public HttpResponseHeaders Headers { get; private set; }

    static string First(HttpResponseHeaders headers, string name) =>
        headers != null && headers.TryGetValues(name, out var values) ? values.First() : null;

    readonly string baseUrl, keyId, secret;
    readonly Action<long> sleep;
    readonly HttpClient http;
    long offset; // seconds that the service's clock is ahead of ours

    /// <summary>Calls one service with one key. The timeout is in seconds, for each attempt as a whole.</summary>
    public Touchline(string baseUrl, string keyId, string secret, Action<long> sleep = null, double timeout = 30)
    {
        http = new HttpClient(new HttpClientHandler
        {
            AllowAutoRedirect = false, // the signature is for one path
            AutomaticDecompression = DecompressionMethods.GZip,
        }) { Timeout = TimeSpan.FromSeconds(timeout) };
        this.baseUrl = baseUrl.TrimEnd('/');
        this.keyId = keyId;
        this.secret = secret;
        this.sleep = sleep ?? (seconds => Thread.Sleep(TimeSpan.FromSeconds(seconds)));
    }

    /// <summary>The body of one GET of a path with its query. Throws Refused where it is refused.</summary>
    public string Get(string target)
    {
        bool corrected = false;
        for (int attempt = 1; ; attempt++)
        {
            long sent = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
            int status = 0;
            string body = "";
            long? wait = 1L << (attempt - 1);
            Exception lost = null;
            Headers = null;
            try
            {
                using (var answer = Send(target, (sent + offset).ToString(CultureInfo.InvariantCulture)))
                {
                    body = answer.Content.ReadAsStringAsync().GetAwaiter().GetResult();
                    status = (int)answer.StatusCode;
                    Headers = answer.Headers;
                    if (status == 200 && body.StartsWith("{") && !body.TrimEnd().EndsWith("}"))
                        throw new IOException("the answer is cut");
                    if (status == 200 && body.StartsWith("{"))
                        return body;
                    if (status == 401 && !corrected && Correct(answer, sent))
                    {
                        corrected = true;
                        attempt--;
                        continue;
                    }
                    wait = Wait(answer, attempt);
                }
            }
            catch (Exception e) when (e is HttpRequestException || e is IOException || e is TaskCanceledException)
            {
                lost = e;
                status = 0;
                body = "no answer: " + e.Message;
                Headers = null;
            }
            if (wait == null || wait > LongestWait || attempt >= Attempts)
                throw new Refused(status, body, Headers, lost);
            sleep(wait.Value);
        }
    }

    /// <summary>The body of every page of a list.</summary>
    public IEnumerable<string> Pages(string target, int limit = 100)
    {
        for (int page = 1; ; page++)
        {
            string body = Get(target + (target.Contains("?") ? "&" : "?") + "limit=" + limit + "&page=" + page);
            yield return body;
            if (!More.IsMatch(body))
                yield break;
        }
    }

    HttpResponseMessage Send(string target, string timestamp)
    {
        var bytes = new byte[16];
        using (var random = RandomNumberGenerator.Create())
            random.GetBytes(bytes);
        string nonce = Hex(bytes); // new for each attempt
        int mark = target.IndexOf('?');
        string path = mark < 0 ? target : target.Substring(0, mark);
        string query = mark < 0 ? "" : target.Substring(mark + 1);
        using (var request = new HttpRequestMessage(HttpMethod.Get, baseUrl + target))
        {
            request.Headers.ConnectionClose = true; // over one that is kept .NET sends a lost request again, with its nonce
            request.Headers.Add("X-Service-Key", keyId);
            request.Headers.Add("X-Service-Timestamp", timestamp);
            request.Headers.Add("X-Service-Nonce", nonce);
            request.Headers.Add("X-Service-Signature", Signature(secret, Canonical("GET", path, query, timestamp, nonce)));
            return http.SendAsync(request).GetAwaiter().GetResult();
        }
    }

    /// <summary>After a 401: takes the service's clock from Date; says whether ours was off.</summary>
    bool Correct(HttpResponseMessage answer, long sent)
    {
        if (answer.Headers.Date == null)
            return false;
        long seen = answer.Headers.Date.Value.ToUnixTimeSeconds() - sent;
        if (Math.Abs(seen - offset) < 60 || Math.Abs(seen) > 86400) // by a day at most
            return false;
        offset = seen;
        return true;
    }

    static long? Wait(HttpResponseMessage answer, int attempt)
    {
        var after = answer.Headers.RetryAfter;
        int status = (int)answer.StatusCode;
        switch (status == 503 && after != null ? 429 : status)
        {
            case 429:
                if (after?.Date != null)
                    return Math.Max((long)(after.Date.Value - DateTimeOffset.UtcNow).TotalSeconds, 0);
                return (long)(after?.Delta?.TotalSeconds ?? 60);
            case 500:
            case 502:
            case 503:
            case 504:
                return 1L << (attempt - 1);
        }
        return null;
    }

    /// <summary>The string that is signed: six fields, a line feed between them.</summary>
    public static string Canonical(string method, string path, string query, string timestamp, string nonce)
    {
        string escaped = Escape.Replace(path, found => found.Value.ToUpperInvariant());
        return string.Join("\n", method.ToUpperInvariant(), escaped, CanonicalQuery(query), timestamp, nonce, EmptyBody);
    }

    /// <summary>The query as it is signed: each key and value encoded, the pairs sorted.</summary>
    public static string CanonicalQuery(string query)
    {
        var pairs = query.Split('&').Where(part => part != "").Select(part =>
        {
            int at = part.IndexOf('=');
            return at < 0 ? (Key: Encode(part), Value: "") : (Key: Encode(part.Substring(0, at)), Value: Encode(part.Substring(at + 1)));
        });
        return string.Join("&", pairs.OrderBy(pair => pair.Key, StringComparer.Ordinal).ThenBy(pair => pair.Value, StringComparer.Ordinal)
            .Select(pair => pair.Key + "=" + pair.Value));
    }

    /// <summary>A key or value of a query, decoded to bytes and encoded again.</summary>
    static string Encode(string text)
    {
        byte[] sent = Encoding.UTF8.GetBytes(text);
        var encoded = new StringBuilder();
        for (int i = 0; i < sent.Length; i++)
        {
            int b = sent[i];
            if (b == '%')
            {
                b = Convert.ToInt32(Encoding.ASCII.GetString(sent, i + 1, 2), 16);
                i += 2;
            }
            bool literal = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '.' || b == '_' || b == '~';
            encoded.Append(literal ? ((char)b).ToString() : "%" + b.ToString("X2", CultureInfo.InvariantCulture));
        }
        return encoded.ToString();
    }

    public static string Signature(string secret, string text)
    {
        using (var mac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            return Hex(mac.ComputeHash(Encoding.UTF8.GetBytes(text)));
    }

    static string Hex(byte[] bytes) => string.Concat(bytes.Select(b => b.ToString("x2", CultureInfo.InvariantCulture)));
}
