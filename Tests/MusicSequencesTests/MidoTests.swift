// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Checks that mido reads the files that Downbeat writes.
@Suite struct MidoTests {
  private static let python = "/usr/bin/python3"

  static var hasMido: Bool {
    do {
      return try ToolRun(["-c", "import mido"], command: python).status == 0
    } catch {
      return false
    }
  }

  /// Compares each file as read by mido with its listing, track by track.
  ///
  /// Prints the first event of a track that differs.
  private static let script = """
    import os, struct, sys, mido
    for number in range(int(sys.argv[2])):
      path = os.path.join(sys.argv[1], str(number))
      with open(path + ".events", "rb") as listing:
        ours = listing.read()
      try:
        tracks = mido.MidiFile(path + ".mid").tracks
      except Exception as error:
        print(number, "refused", type(error).__name__, error)
        continue
      place = 0
      for index, track in enumerate(tracks):
        tick = 0
        for event in track:
          tick += event.time
          data = event.bytes()
          record = struct.pack("<IQI", index, tick, len(data)) + bytes(data)
          if not ours.startswith(record, place):
            print(number, "track", index, "tick", tick, "mido:", bytes(data).hex(),
              "ours:", ours[place:place + 48].hex())
            break
          place += len(record)
        else:
          continue
        break
      else:
        if place != len(ours):
          print(number, "has", len(ours) - place, "bytes of events more than mido's")
    """

  /// Files above this take mido long: they are for `make test-long`.
  private static let limit =
    ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == nil ? 200_000 : Int.max

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"),
    .enabled(if: MidoTests.hasMido, "no mido for /usr/bin/python3: apt install python3-mido"))
  func `mido reads every clean file that Downbeat rewrites, event by event`() throws {
    let folder = try ScratchFolder()
    var paths: [String] = []
    var compared = 0
    for entry in try Corpus.entries() where entry.status == "clean" {
      guard entry.number("size") ?? 0 <= Self.limit else { continue }
      let source = try SMFReader(keepsSource: false).read(try Corpus.bytes(of: entry.path))
      let events = try FileEvents(source)
      guard isPlain(events) else { continue }
      _ = try folder.write("\(paths.count).mid", events.bytes)
      _ = try folder.write("\(paths.count).events", listing(of: events))
      paths.append(entry.path)
      compared += events.reduce(0) { count, _ in count + 1 }
    }
    #expect(paths.count > 200)
    #expect(compared > 800_000)
    let run = try ToolRun(
      ["-c", Self.script, folder.url.path, "\(paths.count)"], command: Self.python)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.isEmpty, "\(run.text)")
  }

  /// Track, tick, length and bytes of each event, low byte first.
  private func listing(of events: FileEvents) -> [UInt8] {
    var out: [UInt8] = []
    for event in events {
      var bytes = [event.status]
      if event.status < 0xF0 {
        bytes += event.status & 0xE0 == 0xC0 ? [event.data1] : [event.data1, event.data2]
      } else {
        let payload = events.payload(of: event)
        if event.status == 0xFF { bytes += [event.data1] + quantity(payload.count) }
        bytes += payload
      }
      append(UInt64(event.track), count: 4, to: &out)
      append(UInt64(event.tick.value), count: 8, to: &out)
      append(UInt64(bytes.count), count: 4, to: &out)
      out += bytes
    }
    return out
  }

  private func append(_ number: UInt64, count: Int, to out: inout [UInt8]) {
    for index in 0..<count { out.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
  }

  /// A length as a file has it.
  private func quantity(_ value: Int) -> [UInt8] {
    let groups = [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) }
    let significant = groups.drop { $0 == 0 }
    return (significant.isEmpty ? [0] : Array(significant)).enumerated().map { index, group in
      index + 1 < max(1, significant.count) ? group | 0x80 : group
    }
  }

  /// True if mido can hold the file.
  ///
  /// Mido ends every SysEx with F7 and does not know packets.
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
