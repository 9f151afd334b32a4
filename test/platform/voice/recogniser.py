"""Recognises English sentences of a grammar: recogniser.py GRAMMAR

Input: for each utterance its length in bytes (32 bits, little-endian), then s16le mono samples at 16 kHz.
Output: a line with the words for each, empty if there are none; first the line `ready`.
"""

import struct
import sys

from pocketsphinx import Decoder, get_model_path

model = get_model_path()
decoder = Decoder(
    hmm=f"{model}/en-us/en-us",
    dict=f"{model}/en-us/cmudict-en-us.dict",
    jsgf=sys.argv[1],
    samprate=16000,
    loglevel="FATAL",
)
print("ready", flush=True)
while len(header := sys.stdin.buffer.read(4)) == 4:
    pcm = sys.stdin.buffer.read(struct.unpack("<I", header)[0])
    decoder.start_utt()
    decoder.process_raw(pcm, full_utt=True)
    decoder.end_utt()
    best = decoder.hyp()
    print(best.hypstr if best else "", flush=True)
