// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// Whatever a command reads, a signal ends it while it waits for more, within 200 ms.
///
/// A busy machine delays every process. Ten times the time in which a process that only sleeps ends
/// is therefore subtracted, and the best of ten tries counts.
@Suite struct ReadingSignalTests {
  /// Each command that reads: PIPE is a pipe without data, `-` is standard input.
  private static let readers: [[String]] = [
    ["info", "PIPE"], ["info", "-"], ["check", "PIPE"], ["check", "-"], ["lyrics", "PIPE"],
    ["lyrics", "-"], ["events", "PIPE"], ["events", "-"],
    ["events", "--import", "PIPE", "-o", "OUT.mid"], ["events", "--import", "-", "-o", "OUT.mid"],
    ["edit", "PIPE", "-o", "OUT.mid", "--do", "format 0"], ["new", "PIPE", "-o", "OUT.mid"],
    ["new", "-", "-o", "OUT.mid"], ["convert", "--song", "PIPE", "1s", "--to", "sec"],
    ["convert", "--batch", "--from", "sec", "--to", "smp"], ["graph", "PIPE"],
    ["render", "PIPE", "-o", "OUT.wav"], ["render", "-", "-o", "OUT.wav"],
    ["render", "-", "-o", "-"], ["render", "song.mid", "--clips", "PIPE", "-o", "OUT.wav"],
    ["render", "song.mid", "--clips", "kit.json", "-o", "OUT.wav"],
    ["render", "song.mid", "--clips", "kit.json", "-o", "OUT", "--stems", "channel"],
    ["render", "song.mid", "--clips", "kit.json", "-o", "OUT.wav", "--normalize", "-1dB"],
    ["play", "PIPE", "--audio", "null"], ["play", "-", "--audio", "null"],
    ["play", "song.mid", "PIPE", "--audio", "null"],
    ["play", "song.mid", "--clips", "kit.json", "--audio", "null"],
    ["sound", "info", "PIPE"], ["sound", "info", "-"],
    ["sound", "convert", "PIPE", "-o", "OUT.wav"], ["sound", "convert", "-", "-o", "OUT.wav"],
    ["sound", "convert", "-", "-o", "-"], ["sound", "play", "PIPE", "--audio", "null"],
    ["sound", "play", "-", "--audio", "null"], ["sound", "alert", "PIPE", "--audio", "null"],
    ["soundfont", "check", "--song", "PIPE", "FONT"],
    ["soundfont", "trim", "FONT", "--song", "PIPE", "-o", "OUT.sf2"],
    ["edit", "PIPE", "--embed", "-s", "FONT", "-o", "OUT.rmi"],
  ]

  @Test(arguments: readers)
  func `a signal ends a command that waits for input`(line: [String]) throws {
    let folder = try ScratchFolder()
    _ = try folder.write("song.mid", SongBytes.notes(1, every: 48))
    _ = try folder.write("kit.json", Array(#"{"pads":[{"key":60,"file":"pipe"}]}"#.utf8))
    try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
    // Held open at both ends: who opens it to read is not kept waiting for a writer, but for bytes.
    let held = unsafe open(folder.path("pipe"), O_RDWR | O_CLOEXEC)
    defer { close(held) }
    let font = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
    var words = line.map { $0 == "PIPE" ? "pipe" : $0 == "FONT" ? font : $0 }
    if ["play", "render"].contains(line[0]) { words += ["--soundfont", font] }
    let names = try folder.names()
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var times: [Duration] = []
      while times.count < Self.tries, times.last.map({ $0 > Self.limit }) ?? true {
        let tool = try RunningTool(words, input: folder.path("pipe"), folder: folder.url)
        // A song that plays sleeps and works; one that waits for bytes does neither for long.
        var looks = 0
        while looks < 100, !tool.isIdle(for: 0.3) { looks += 1 }
        #expect(looks < 100, "\(line): never waited")
        let end = try tool.end(by: signal)
        #expect(end.signal == signal, "\(line)")
        times.append(try end.time - Self.plainTime(signal, folder.url) * 10)
      }
      #expect(try #require(times.min()) <= Self.limit, "\(line), \(signal): \(times)")
    }
    #expect(try folder.names() == names)
  }

  private static let tries = 10
  private static let limit = Duration.milliseconds(200)

  /// The time in which a signal ends a process that only sleeps.
  private static func plainTime(_ signal: Int32, _ folder: URL) throws -> Duration {
    try RunningTool(["600"], folder: folder, command: "/usr/bin/sleep").end(by: signal).time
  }

  /// The same for the scripts, in seconds.
  private static let plain = """
    import signal, subprocess, time
    def plain(number):
        sleeper = subprocess.Popen(['sleep', '600'])
        sent = time.monotonic()
        sleeper.send_signal(number)
        sleeper.wait()
        return time.monotonic() - sent

    """

  /// Ends each of three commands that read an endless sound by each of three signals, and prints
  /// the shortest time of ten tries, in milliseconds.
  private static let endless = """
    import os, sys
    os.mkfifo('pipe')
    for words in (['pipe', '-o', 'out.wav'], ['-', '-o', 'out.wav'], ['-', '-o', '-']):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            least = 1e6
            for attempt in range(10):
                command = [sys.argv[1], 'sound', 'convert', *words]
                if words[-1] == '-': command += ['--format', 'wav']
                writer = subprocess.Popen(['sh', '-c', 'exec cat head.wav /dev/zero > pipe'],
                                          stderr=subprocess.DEVNULL)
                with open('pipe') as pipe:
                    tool = subprocess.Popen(
                        command, stdin=pipe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    time.sleep(1)
                    sent = time.monotonic()
                    tool.send_signal(number)
                    if tool.wait() == -number:
                        least = min(least, time.monotonic() - sent - 10 * plain(number))
                writer.wait()
                if least < 0.2: break
            print(int(least * 1000))
    """

  @Test func `a signal ends a command that reads without an end`() throws {
    let folder = try ScratchFolder()
    let wave = WaveBytes.file(frames: 10) { _, _ in 0 }
    _ = try folder.write("head.wav", wave.enumerated().map { (40..<44).contains($0) ? 0xFF : $1 })
    let run = try ToolRun(
      ["-c", Self.plain + Self.endless, ToolRun.command], command: "/usr/bin/python3",
      folder: folder.url, limit: 300)
    let times = run.text.split(separator: "\n").compactMap { Int($0) }
    #expect(times.count == 9, "\(run.errors)")
    #expect(times.allSatisfy { $0 <= 200 }, "\(times)")
    #expect(try !folder.names().contains("out.wav"))
  }

  /// Ends a song whose reader does not read, after the pipe is full, up to nine times, and prints
  /// the shortest time in milliseconds.
  private static let unread = """
    import array, fcntl, os, sys, termios
    source, sink = os.pipe()
    size = fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, 8192)
    least = 1e6
    for attempt in range(9):
        tool = subprocess.Popen(sys.argv[1:], stdout=sink, stderr=subprocess.DEVNULL)
        before, held = -1, array.array('i', [0])
        while held[0] < 4000 or held[0] != before:
            before = held[0]
            time.sleep(0.5)
            fcntl.ioctl(source, termios.FIONREAD, held)
        sent = time.monotonic()
        tool.send_signal(signal.SIGINT)
        try:
            if tool.wait(60) == -signal.SIGINT:
                least = min(least, time.monotonic() - sent - 10 * plain(signal.SIGINT))
        except subprocess.TimeoutExpired:
            tool.kill()
            tool.wait()
        os.read(source, size)
        if least < 0.2: break
    print(int(least * 1000))
    """

  @Test func `a signal ends a command whose reader does not read`() throws {
    let folder = try ScratchFolder()
    let markers = (0..<500).map { (delta: 1, bytes: [0xFF, 6, 2, 65, UInt8(65 + $0 % 26)]) }
    let song = try folder.write(
      "marked.mid", SongBytes.file(markers + [(0, [0x90, 60, 100]), (48000, [0x80, 60, 64])]))
    let run = try ToolRun(
      [
        "-c", Self.plain + Self.unread, ToolRun.command, "play", song, "--audio", "null", "--json",
        "--soundfont", "Soundfonts/Downbeat.sf2",
      ], command: "/usr/bin/python3", limit: 300)
    let time = try #require(run.text.split(separator: "\n").first.flatMap { Int($0) }, "\(run)")
    #expect(time <= 200)
  }
}
