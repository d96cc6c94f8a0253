// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import Downbeat
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import PlayerControl
import TestSupport
import Testing

/// A player that is made of public declarations only, as in other programs, so without `@testable`.
@Suite struct PublicPlayerTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: scratch.url.path)
    _ = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    // 500 s, and 50 ms.
    _ = try scratch.write("long.mid", SongBytes.notes(1000, every: 480))
    _ = try scratch.write("short.mid", SongBytes.notes(1, every: 96))
  }

  /// Plays the current song of a queue on an output without a device.
  private func controls(_ songs: SongQueue, isPaced: Bool = true) throws -> PlayControls {
    let song = try #require(songs.begin())
    let sequence = try SMFReader().read(InputFile(path: song.path).bytes).sequences[0]
    let session = try Session(
      sequence, settings: SessionSettings(soundFont: scratch.path("tiny.sf2")))
    let output = NullOutputUnit(
      format: AudioFormat(rate: .hertz48000, channelCount: 2), isPaced: isPaced)
    return try PlayControls(try session.play(on: output), session, songs: songs)
  }

  private func queue(_ names: String...) -> SongQueue {
    SongQueue(paths: names.map(scratch.path))
  }

  @Test func `commands change the song, and the status reports it`() async throws {
    let controls = try controls(queue("long.mid"))
    defer { controls.playback.end(draining: false) }
    #expect(controls.status.kind == .song && controls.status.title == "long")
    #expect(controls.status.path == scratch.path("long.mid") && controls.status.count == 1)
    try controls.execute(.setPaused(true))
    #expect(controls.isPaused && controls.status.state == .paused)
    try controls.execute(.setTransposition(-2))
    try controls.execute(.setVolume(-6))
    try controls.execute(.setSpeed(Ratio(3, over: 2)))
    try controls.execute(.setLoop(SeekTime(parsing: "2|1|0"), SeekTime(parsing: "3|1|0")))
    try controls.execute(.locate(SeekTime(parsing: "2|3|0")))
    let status = controls.status
    #expect(status.transposition == -2 && status.volume == -6 && status.speed == 1.5)
    #expect(status.loop == PlayStatus.Loop(start: 2, end: 4))
    #expect(status.seconds == 3 && status.seekCount > 0 && status.bar == "2.3.000")
    try controls.execute(.stop)
    #expect(controls.status.state == .stopped)
    // The thread that moves the song may be late on a busy machine.
    #expect(await wait { controls.status.seconds == 0 })
    #expect(throws: ControlError.self) {
      try controls.execute(.setLoop(SeekTime(parsing: "3|1|0"), SeekTime(parsing: "2|1|0")))
    }
    #expect(controls.message == "loop: B must be after A")
  }

  @Test func `a command that songs do not support is refused with its name`() throws {
    let controls = try controls(queue("long.mid"))
    defer { controls.playback.end(draining: false) }
    #expect(!PlayControls.verbs.contains(.program))
    #expect(throws: ControlError.self) {
      try controls.execute(.setProgram(Channel(index: 0), 40))
    }
    #expect(controls.message.hasPrefix("program: not available for a song"))
  }

  @Test func `a server plays a queue to its end`() throws {
    let songs = queue("short.mid", "short.mid")
    let server = ControlServer(sockets: [try ControlSocket(path: scratch.path("socket"))])
    var reasons: [EndReason] = []
    while songs.current != nil {
      reasons.append(try server.run(try controls(songs, isPaced: false)))
      songs.advance()
    }
    #expect(reasons == [.finished, .finished])
  }

  @Test func `programs can move the queue and quit through a socket`() throws {
    let path = scratch.path("socket")
    let songs = queue("long.mid", "long.mid", "long.mid")
    let server = ControlServer(sockets: [try ControlSocket(path: path)])
    let answers = scratch.path("answers")
    let client = try RunningTool(
      ["-c", Self.client, path], folder: scratch.url, errors: answers, command: "/usr/bin/python3")
    #expect(try server.run(try controls(songs)) == .stopped)
    #expect(songs.index == 2)
    #expect(try server.run(try controls(songs)) == .quit)
    #expect(songs.hasQuit && songs.begin() == nil)
    server.end()
    #expect(try client.end() == 0)
    #expect(
      try String(contentsOfFile: answers, encoding: .utf8)
        == "success 3\nsuccess playing\nsuccess\nsuccess\n")
  }

  /// A program that reads two properties, skips to the third song and quits.
  ///
  /// It prints the answers to standard error.
  private static let client = """
    import json, socket, sys
    stream = socket.socket(socket.AF_UNIX)
    stream.connect(sys.argv[1])
    lines = stream.makefile()
    def ask(*words):
        stream.sendall((json.dumps({"command": words, "request_id": 7}) + "\\n").encode())
        for line in lines:
            answer = json.loads(line)
            if answer["type"] == "reply":
                return print(answer["error"], *([answer["data"]] if "data" in answer else []), file=sys.stderr)
    ask("get", "playlist-count")
    ask("get", "state")
    ask("go", 3)
    ask("quit")
    """
}
