using System;
using System.Text.RegularExpressions;

public static class League
{
    public static void Main()
    {
        var api = new Touchline(
            Environment.GetEnvironmentVariable("TOUCHLINE_BASE_URL"),
            Environment.GetEnvironmentVariable("TOUCHLINE_KEY_ID"),
            Environment.GetEnvironmentVariable("TOUCHLINE_SECRET"));

        string organization = First("\"resourceId\":\"(\\w+)\"", api.Get("/v1/ping"));
        string competitions = api.Get("/v1/organizations/" + organization
            + "/competitions?includeDescendants=true&status=active&limit=1");
        string path = "/v1/tournaments/" + First("\"id\":\"(\\w+)\"", competitions);

        // Read these with System.Text.Json, or the JSON library of your project.
        Console.WriteLine("Table\n" + api.Get(path + "/standings"));
        Console.WriteLine("\nNext matches\n" + api.Get(path + "/matches?status=upcoming&limit=5"));
        Console.WriteLine("\nTop scorers\n" + api.Get(path + "/top-scorers?limit=5"));
    }

    private static string First(string pattern, string json)
    {
        return Regex.Match(json, pattern).Groups[1].Value;
    }
}
