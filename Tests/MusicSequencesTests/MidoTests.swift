// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// What we write, read by mido.
@Suite struct MidoTests {
  private static let python = "/usr/bin/python3"

  static var hasMido: Bool {
    do {
      return try ToolRun(["-c", "import mido"], command: python).status == 0
    } catch {
      return false
    }
  }

  /// Prints a line for each event of each file: the file, track, tick, and bytes.
  private static let script = """
    import sys, mido
    for number, path in enumerate(sys.argv[1:]):
      try:
        file = mido.MidiFile(path)
      except Exception as error:
        print(number, "refused", type(error).__name__, error)
        continue
      for index, track in enumerate(file.tracks):
        tick = 0
        for event in track:
          tick += event.time
          print(number, index, tick, bytes(event.bytes()).hex())
    """

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"),
    .enabled(if: MidoTests.hasMido, "no mido for /usr/bin/python3: apt install python3-mido"))
  func `mido reads what we write anew as we do, event by event`() throws {
    let folder = try ScratchFolder()
    var paths: [String] = []
    var expected: [[String]] = []
    for entry in try Corpus.entries() where entry.status == "clean" {
      guard (entry.number("size") ?? 0) < 8_000 else { continue }
      let source = try SMFReader(keepsSource: false).read(try Corpus.bytes(of: entry.path))
      guard let sequence = source.sequences.first else { continue }
      let events = try FileEvents(sequence)
      guard isPlain(events) else { continue }
      paths.append(try folder.write("\(paths.count).mid", SMFWriter().write(sequence)))
      expected.append(lines(events))
    }
    #expect(paths.count > 50)
    let run = try ToolRun(["-c", Self.script] + paths, command: Self.python)
    #expect(run.status == 0, "\(run.errors)")
    var read = [[String]](repeating: [], count: paths.count)
    for line in run.text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      read[try #require(Int(parts[0]))].append(String(parts[1]))
    }
    for (mine, theirs) in zip(expected, read) { #expect(mine == theirs) }
  }

  private func lines(_ events: FileEvents) -> [String] {
    events.map { event in
      var bytes = [event.status]
      if event.status < 0xF0 {
        bytes += event.status & 0xE0 == 0xC0 ? [event.data1] : [event.data1, event.data2]
      } else {
        let payload = events.payload(of: event)
        if event.status == 0xFF { bytes += [event.data1] + quantity(payload.count) }
        bytes += payload
      }
      let hex = bytes.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
      return "\(event.track) \(event.tick.value) \(hex)"
    }
  }

  private func quantity(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value >> 7) | 0x80, UInt8(value & 0x7F)]
  }

  /// Whether mido can hold a file: it gives every SysEx an F7 of its own and knows no packets.
  private func isPlain(_ events: FileEvents) -> Bool {
    events.allSatisfy { event in
      switch event.status {
      case 0xF7: false
      case 0xF0: events.payload(of: event).last == 0xF7
      default: true
      }
    }
  }
}
