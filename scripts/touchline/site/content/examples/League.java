import java.util.regex.Pattern;

public class League {
    public static void main(String[] args) throws Exception {
        var env = System.getenv();
        var api = new Touchline(
            env.get("TOUCHLINE_BASE_URL"), env.get("TOUCHLINE_KEY_ID"), env.get("TOUCHLINE_SECRET"));

        String organization = first("\"resourceId\":\"(\\w+)\"", api.get("/v1/ping"));
        String competitions = api.get("/v1/organizations/" + organization
            + "/competitions?includeDescendants=true&status=active&limit=1");
        String path = "/v1/tournaments/" + first("\"id\":\"(\\w+)\"", competitions);

        // Java has no JSON of its own: hand these to the library of your project.
        System.out.println("Table\n" + api.get(path + "/standings"));
        System.out.println("\nNext matches\n" + api.get(path + "/matches?status=upcoming&limit=5"));
        System.out.println("\nTop scorers\n" + api.get(path + "/top-scorers?limit=5"));
    }

    private static String first(String pattern, String json) {
        var found = Pattern.compile(pattern).matcher(json);
        if (!found.find()) {
            throw new IllegalStateException("not found in " + json);
        }
        return found.group(1);
    }
}
