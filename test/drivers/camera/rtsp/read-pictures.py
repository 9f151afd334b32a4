"""Decodes 20 pictures of a stream as Home Assistant does: read-pictures.py tcp|udp URL"""

import sys

import av

transport, url = sys.argv[1:]
with av.open(url, options={"rtsp_transport": transport}, timeout=15) as container:
    first, *others = (picture for picture, _ in zip(container.decode(video=0), range(20)))
    print(f"pictures={1 + len(others)} {first.width}x{first.height} key={bool(first.key_frame)}")
