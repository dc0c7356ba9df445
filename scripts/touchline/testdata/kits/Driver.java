import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.regex.Pattern;

public final class Driver {
    public static void main(String[] args) throws Exception {
        if (args[0].equals("vectors")) {
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line; (line = in.readLine()) != null;) {
                var fields = new ArrayList<String>();
                for (String f : line.split(" ")) {
                    fields.add(new String(HexFormat.of().parseHex(f.equals("-") ? "" : f), StandardCharsets.UTF_8));
                }
                String text = Touchline.canonical(fields.get(0), fields.get(1), fields.get(2), fields.get(3), fields.get(4));
                System.out.println(HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8)) + " " + Touchline.signature(fields.get(5), text));
            }
            return;
        }
        var waits = new StringBuilder("waited");
        var api = new Touchline(args[1], args[2], args[3], seconds -> waits.append(" ").append(seconds));
        var id = Pattern.compile("\"id\":\"([0-9a-f]+)\"");
        if (args[0].equals("trouble")) {
            try {
                api.get("/v1/x?status=live&from=2026-09-01");
            } catch (Touchline.Refused e) {
                System.out.println(e.status + " " + e.code + " " + e.getMessage().contains("from") + " " + e.headers.firstValue("X-RateLimit-Remaining").get());
            }
            System.out.println(waits);
            return;
        }
        if (args[0].equals("ditch")) {
            api.timeout = (int) (Double.parseDouble(args[4]) * 1000);
            for (int i = 5; i < args.length; i++) {
                waits.setLength(0);
                String got;
                try {
                    var found = id.matcher(api.get(args[i]));
                    got = found.find() ? found.group(1) : "none";
                } catch (Touchline.Refused e) {
                    got = Integer.toString(e.status);
                }
                System.out.println(args[i] + " " + got + waits);
            }
            return;
        }
        for (String page : api.pages(args[4], 2)) {
            id.matcher(page).results().forEach(found -> System.out.println(found.group(1)));
        }
        try {
            api.get("/v1/teams/none");
        } catch (Touchline.Refused refusal) {
            System.out.println(refusal.status + " " + refusal.code);
        }
        System.out.println(waits);
    }
}
