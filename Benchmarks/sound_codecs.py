# SPDX-License-Identifier: Apache-2.0
"""The suite `sound`, its half with codecs: files read and converted, paired with ffmpeg.

By processor time, ours and theirs alternating: a busy machine takes longer, not more. ffmpeg has as
many threads as we have, one.
"""
import pathlib
import statistics
import subprocess
import tempfile

from sound_files import HERE, run

# The suffix and ffmpeg's codec of what is decoded.
KINDS = {"MP3": ("mp3", ["-c:a", "libmp3lame", "-b:a", "192k"]),
         "AAC in M4A": ("m4a", ["-c:a", "aac", "-b:a", "192k"]),
         "ALAC in M4A": ("m4a", ["-c:a", "alac"]),
         "FLAC": ("flac", ["-c:a", "flac"]),
         "Vorbis in Ogg": ("ogg", ["-c:a", "libvorbis", "-q:a", "6"]),
         "Opus in Ogg": ("opus", ["-c:a", "libopus", "-b:a", "128k"]),
         "WAV": ("wav", ["-c:a", "pcm_s16le"])}
# What is also decoded as it arrives, and how it is wrapped for that.
STREAMED = {"MP3": "mp3", "AAC in M4A": "adts", "ALAC in M4A": "mp4", "FLAC": "flac",
            "Vorbis in Ogg": "ogg", "Opus in Ogg": "ogg", "WAV": "wav"}
FFMPEG = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-threads", "1"]
# At most so much of ffmpeg's time, and so many milliseconds to a file's middle.
DECODING, CONVERTING, SEEKING = 1.0, 1.0, 5.0
# Files of Vorbis are read by libvorbis, which needs more than FFmpeg's own decoder.
DECODING_BY_OTHERS = {"Vorbis in Ogg": 1.25}
# At most so much of our own modules' time through Apple's names, and of pushing for pulling.
APPLE, PULLING = 1.05, 1.05
# The name of what goes through Apple's names, its command, our own, and the file.
THROUGH_APPLE = [("ExtAudioFile", "ext", "decode", name) for name in
                 ["WAV", "FLAC", "MP3", "AAC in M4A"]] + [
    ("AudioQueue", "queue", "samples", "WAV"), ("AudioQueue", "queue", "packets", "AAC in M4A")]


def make(scratch, length, name):
    """A file of a kind: a chord that moves, and noise."""
    suffix, codec = KINDS[name]
    target = scratch / f"{name.split()[0]}-{length}.{suffix}"
    sound = (f"aevalsrc=0.3*sin(440*2*PI*t+20*sin(t))+0.2*sin(1100*t)|0.3*sin(660*2*PI*t):d={length}"
             f"[a];anoisesrc=a=0.05:d={length},aformat=channel_layouts=stereo[b];[a][b]amix")
    subprocess.run([*FFMPEG, "-filter_complex", sound, *codec, str(target)], check=True)
    return target


def streamed(scratch, name, sound):
    """The packets of a file in a form that can be decoded as it arrives."""
    form = STREAMED[name]
    target = scratch / f"{sound.stem}.stream"
    flags = ["-movflags", "+faststart"] if form == "mp4" else []
    subprocess.run([*FFMPEG, "-i", str(sound), "-c", "copy", *flags, "-f", form, str(target)],
                   check=True)
    return target


def pair(name, ours, theirs, bound, rounds):
    """Whether our median is within the bound of theirs; prints both."""
    seconds = [[], []]
    for _ in range(rounds):
        seconds[0].append(run(ours))
        seconds[1].append(run(theirs))
    own, other = map(statistics.median, seconds)
    verdict = "" if own <= other * bound else "  MISSED"
    print(f"{name:42}{own:9.2f}{other:9.2f}{own / other:8.2f}{verdict}")
    return own <= other * bound


def speed(tool, reader, scratch, options):
    passed = True
    sounds = {name: make(scratch, options.length, name) for name in KINDS}
    print(f"\n{f'{options.length} s of stereo, processor time':42}{'seconds':>9}{'ffmpeg':>9}"
          f"{'ratio':>8}")
    for name, sound in sounds.items():
        theirs = [*FFMPEG, "-i", str(sound), "-f", "null", "-"]
        passed &= pair(f"decode {name}", [str(reader), "decode", str(sound)], theirs,
                       DECODING_BY_OTHERS.get(name, DECODING), options.rounds)
    for name, sound in sounds.items():
        stream = str(streamed(scratch, name, sound))
        theirs = [*FFMPEG, "-i", stream, "-f", "null", "-"]
        passed &= pair(f"stream {name}", [str(reader), "stream", stream], theirs, DECODING,
                       options.rounds)
    for name in ["MP3", "AAC in M4A"]:
        target = str(scratch / "out.flac")
        ours = [tool, "sound", "convert", str(sounds[name]), "-o", target, "--overwrite",
                "--bits", "16", "--dither", "none"]
        theirs = [*FFMPEG, "-i", str(sounds[name]), "-sample_fmt", "s16", "-threads", "1", target]
        passed &= pair(f"{name} to FLAC", ours, theirs, CONVERTING, options.rounds)
    return passed


def layers(reader, scratch, options):
    """Apple's names beside the modules beneath them, and pulling from a converter beside pushing."""
    passed = True
    sounds = {name: make(scratch, options.length, name) for name in ["WAV", "FLAC", "MP3", "AAC in M4A"]}
    print(f"\n{f'{options.length} s of stereo, processor time':42}{'seconds':>9}{'own':>9}{'ratio':>8}")
    for service, theirs, ours, name in THROUGH_APPLE:
        sound = str(sounds[name])
        passed &= pair(f"{service}, {name}", [str(reader), theirs, sound], [str(reader), ours, sound],
                       APPLE, options.rounds)
    wav = str(sounds["WAV"])
    return pair("pull, then push: 512 frames to 48 kHz", [str(reader), "pull", wav],
                [str(reader), "push", wav], PULLING, options.rounds) and passed


def seeking(reader, scratch):
    passed = True
    print(f"\n{'an hour, opened anew, to its middle':42}{'open, ms':>9}{'seek, ms':>9}")
    for name in ["MP3", "AAC in M4A"]:
        sound = make(scratch, 3600, name)
        found = subprocess.run([str(reader), "seek", str(sound)], check=True, capture_output=True,
                               text=True)
        opening, took = map(float, found.stdout.split())
        good = opening + took <= SEEKING
        print(f"{name:42}{opening:9.2f}{took:9.2f}{'' if good else '  MISSED'}")
        passed &= good
    return passed


def main(options, reader):
    tool = options.tool or str(HERE.parent / ".build/release/downbeat")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        good = speed(tool, reader, scratch, options)
        good &= layers(reader, scratch, options)
        return seeking(reader, scratch) and good
