from datetime import datetime, time
from zoneinfo import ZoneInfo


def day(timezone, date=None):
    """Both ends of a day where a competition is, each with its own offset; today without a date."""
    zone = ZoneInfo(timezone)
    date = date or datetime.now(zone).date()
    ends = [datetime.combine(date, time(0, 0), zone), datetime.combine(date, time(23, 59), zone)]
    return dict(zip(("from_", "to"), (end.isoformat(timespec="minutes") for end in ends)))
