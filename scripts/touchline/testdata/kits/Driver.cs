using System;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

public static class Driver
{
    static string Text(string hex) => hex == "-" ? "" :
        Encoding.UTF8.GetString(Enumerable.Range(0, hex.Length / 2).Select(i => Convert.ToByte(hex.Substring(2 * i, 2), 16)).ToArray());

    public static void Main(string[] args)
    {
        if (args[0] == "vectors")
        {
            for (string line; (line = Console.ReadLine()) != null;)
            {
                var f = line.Split(' ').Select(Text).ToArray();
                string text = Touchline.Canonical(f[0], f[1], f[2], f[3], f[4]);
                Console.WriteLine(string.Concat(Encoding.UTF8.GetBytes(text).Select(b => b.ToString("x2"))) + " " + Touchline.Signature(f[5], text));
            }
            return;
        }
        string waits = "waited";
        var api = new Touchline(args[1], args[2], args[3], seconds => waits += " " + seconds, args[0] == "ditch" ? double.Parse(args[4], CultureInfo.InvariantCulture) : 30);
        if (args[0] == "trouble")
        {
            try
            {
                api.Get("/v1/x?status=live&from=2026-09-01");
            }
            catch (Touchline.Refused e)
            {
                Console.WriteLine(e.Status + " " + e.Code + " " + (e.Message.Contains("from") ? "true " : "false ") + e.Headers.GetValues("X-RateLimit-Remaining").First());
            }
            Console.WriteLine(waits);
            return;
        }
        if (args[0] == "ditch")
        {
            foreach (string target in args.Skip(5))
            {
                waits = "";
                string got;
                try
                {
                    got = Regex.Match(api.Get(target), "\"id\":\"([a-z]+)\"").Groups[1].Value;
                }
                catch (Touchline.Refused e)
                {
                    got = e.Status.ToString();
                }
                Console.WriteLine(target + " " + got + waits);
            }
            return;
        }
        foreach (string page in api.Pages(args[4], 2))
            foreach (Match id in Regex.Matches(page, "\"id\":\"([0-9a-f]+)\""))
                Console.WriteLine(id.Groups[1].Value);
        try
        {
            api.Get("/v1/teams/none");
        }
        catch (Touchline.Refused refusal)
        {
            Console.WriteLine(refusal.Status + " " + refusal.Code);
        }
        Console.WriteLine(waits);
    }
}
