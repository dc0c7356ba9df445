from datetime import datetime, time
from zoneinfo import ZoneInfo


def day(timezone, date=None):
    """Both ends of a competition's day, each with its own offset."""
    zone = ZoneInfo(timezone)
    date = date or datetime.now(zone).date()
    start = datetime.combine(date, time(0, 0), zone)
    end = datetime.combine(date, time(23, 59), zone)
    return {
        "from_": start.isoformat(timespec="minutes"),
        "to": end.isoformat(timespec="minutes"),
    }
