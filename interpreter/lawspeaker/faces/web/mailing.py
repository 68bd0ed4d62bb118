"""Mails that tell a player, with the page closed, that a game waits for him.

They are sent only where the operator names a mail server, and only to addresses that were confirmed
by a mail. A mail has the title of the game and a link to stop; no link to a seat, since mails are
read on the way, and nothing of the game. A question is told once, after some minutes, and a seat at
most once an hour.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.web.buckets import Buckets
from lawspeaker.faces.web.database import NotKept
from lawspeaker.faces.web.messages import clean
from lawspeaker.faces.web.store import DueMail, Store

LONGEST_ADDRESS = 254
LONGEST_TITLE = 80
TELL_AFTER = 10 * 60
"""Seconds for which somebody must have been waited for."""
PAUSE = 60 * 60
"""Seconds between two mails for a seat."""
OFTEN = 60.0
"""Seconds between two looks at whom games wait for."""
TIMEOUT = 20.0

log = logging.getLogger("lawspeaker.web")


@dataclass(frozen=True, slots=True)
class MailServer:
    """The mail server of the operator: `sender` is the address from which mails come, `url` the
    public address of this server for links in them."""

    host: str
    port: int
    sender: str
    url: str
    tls: bool = False
    user: str = ""
    password: str = field(default="", repr=False)


class Mailing:
    """Sends mails, within limits for each address and each visitor."""

    def __init__(self, server: MailServer | None, hurry: float = 1.0) -> None:
        self.server = server
        self._by = Buckets(burst=3 * hurry, rate=hurry / 600)
        self._to = Buckets(burst=2 * hurry, rate=hurry / 3600)

    def may_ask(self, client: str, address: str) -> bool:
        """Whether a visitor can have a mail sent to an address that has not confirmed it yet."""
        return self._by.take(client) and self._to.take(address.casefold())

    async def confirm(self, address: str, token: str, language: str) -> bool:
        """Asks an address to confirm; returns whether the mail was sent."""
        subject = phrase("web.mail.confirm_subject", language)
        return await self._sent(address, subject, "web.mail.confirm_text", token, language)

    async def tell(self, due: DueMail) -> bool:
        title = clean(due.title)[:LONGEST_TITLE]
        subject = phrase("web.mail.turn_subject", due.language, title=title)
        text = "web.mail.turn_text"
        return await self._sent(due.address, subject, text, due.token, due.language, title)

    async def keep_telling(self, store: Store) -> None:
        """Tells whom games wait for, regularly."""
        while self.server is not None:
            await asyncio.sleep(OFTEN)
            try:
                await self.tell_all(store)
            except NotKept as error:
                log.error("nobody is told by mail: %s", error)

    async def tell_all(self, store: Store) -> int:
        """Tells everybody who is due; returns how many mails were sent."""
        now = int(time.time())
        sent = 0
        after: str | None = ""
        while after is not None:
            due, after = await asyncio.to_thread(
                store.due_mails, now, now - TELL_AFTER, now - PAUSE, after
            )
            for each in due:
                sent += await self.tell(each)
        return sent

    async def _sent(
        self, to: str, subject: str, text: str, token: str, language: str, title: str = ""
    ) -> bool:
        server = self.server
        if server is None:
            return False
        stop = f"{server.url}/mail/{token}"
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = server.sender, to, subject
        message["List-Unsubscribe"] = f"<{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(
            phrase(text, language, title=title, home=f"{server.url}/home", stop=stop)
        )
        try:
            await asyncio.to_thread(_send, server, message)
        except OSError as error:  # as all errors of the protocol are, too
            # Its message may hold the address.
            log.error("a mail could not be sent: %s", type(error).__name__)
            return False
        return True


def _send(server: MailServer, message: EmailMessage) -> None:
    # Imported here: a published page has neither, and sends no mail.
    import smtplib
    import ssl

    secure = ssl.create_default_context()
    where, wait = (server.host, server.port), TIMEOUT
    with (
        smtplib.SMTP_SSL(*where, timeout=wait, context=secure)
        if server.tls
        else smtplib.SMTP(*where, timeout=wait)
    ) as line:
        line.ehlo()
        encrypted = server.tls
        if not encrypted and line.has_extn("starttls"):
            line.starttls(context=secure)
            encrypted = True
        if server.user:
            if not encrypted:
                raise smtplib.SMTPNotSupportedError("no password over an open line")
            line.login(server.user, server.password)
        line.send_message(message)


def address_of(text: str) -> str | None:
    """Returns a mail address in its plain form; None if it is none."""
    try:
        found = Address(addr_spec=text.strip())
    except (ValueError, IndexError, MessageError):
        return None
    plain = found.addr_spec
    fine = plain.isascii() and plain.isprintable() and len(plain) <= LONGEST_ADDRESS
    return plain if fine and " " not in plain and "." in found.domain and found.username else None
