#!/usr/bin/python3
"""A GSM/LTE modem that understands enough AT commands for ModemManager, on an abstract socket.

Usage: modem.py NAME. A line "act N" on standard input changes the access technology as 3GPP 27.007 numbers it
(0 GSM, 2 UTRAN, 7 E-UTRAN), "reg N" the registration (1 home, 2 searching, 5 roaming). Both are told unasked,
as a modem does.
"""
import re
import selectors
import socket
import sys

state = {"act": 7, "reg": 1}

# What answers OK alone.
SILENT = re.compile(
    r"AT$|ATZ|ATE0|ATV1|ATH|ATX4|AT&[CF].*|AT\+(CMEE|CFUN|IFC|CSCS|CREG|CGREG|CEREG|CGATT|CMER|CIND|CMGF|CUSD|CNMI)=.*"
    r"|AT\+COPS=.*"
)
ANSWERS = {
    "ATI": "Manufacturer: Example\r\nModel: Emulated\r\nRevision: 1", "AT+GMI": "Example", "AT+CGMI": "Example",
    "AT+GMM": "Emulated", "AT+CGMM": "Emulated", "AT+GMR": "1", "AT+CGMR": "1", "AT+GSN": "490154203237518",
    "AT+CGSN": "490154203237518", "AT+GCAP": "+GCAP: +CGSM", "AT+CPIN?": "+CPIN: READY", "AT+CIMI": "001010123456789",
    "AT+CFUN?": "+CFUN: 1", "AT+CSQ": "+CSQ: 20,99", "AT+CGATT?": "+CGATT: 1", "AT+CGACT?": "+CGACT: 1,0",
    "AT+WS46=?": "+WS46: (12,22,25,28,29)", "AT+WS46?": "+WS46: 25",
    "AT+CLCK=?": '+CLCK: ("SC")', "AT+CIND=?": '+CIND: ("signal",(0-5)),("service",(0,1))',
    "AT+CGDCONT=?": '+CGDCONT: (1-8),"IP",,,(0-2),(0-4)', "AT+CGDCONT?": '+CGDCONT: 1,"IP","internet","",0,0',
}


def registration(command, is_asked):
    fields = f'{state["reg"]},"0001","00000001",{state["act"]}'
    return f"{command}: 2,{fields}" if is_asked else f"{command}: {fields}"


def answer(command):
    asked = re.fullmatch(r"AT(\+C(?:G|E)?REG)\?", command)
    if asked:
        return registration(asked.group(1), True)
    if command == "AT+COPS?":
        return f'+COPS: 0,2,"00101",{state["act"]}'
    if command in ANSWERS:
        return ANSWERS[command]
    if command.startswith("AT+CLCK="):
        return "+CLCK: 0"
    return "" if SILENT.match(command) else None


server = socket.socket(socket.AF_UNIX)
server.bind("\0" + sys.argv[1])
server.listen()
selector = selectors.DefaultSelector()
selector.register(server, selectors.EVENT_READ)
selector.register(sys.stdin, selectors.EVENT_READ)
ports = {}
print("ready", flush=True)

while True:
    for key, _ in selector.select():
        if key.fileobj is server:
            port, _ = server.accept()
            ports[port] = ""
            selector.register(port, selectors.EVENT_READ)
        elif key.fileobj is sys.stdin:
            words = sys.stdin.readline().split()
            if not words:
                sys.exit()
            state[words[0]] = int(words[1])
            for port in ports:
                for command in ("+CREG", "+CGREG", "+CEREG"):
                    port.send(f"\r\n{registration(command, False)}\r\n".encode())
        else:
            port = key.fileobj
            data = port.recv(4096).decode(errors="replace")
            if not data:
                selector.unregister(port)
                del ports[port]
                continue
            *commands, ports[port] = re.split(r"[\r\n]", ports[port] + data)
            for command in filter(None, (command.strip() for command in commands)):
                text = answer(command)
                if text is None:
                    port.send(b"\r\nERROR\r\n")
                else:
                    port.send(((f"\r\n{text}\r\n" if text else "") + "\r\nOK\r\n").encode())
