// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime

/// What is no rate: bytes held, the time to free, the longest of many edits.
enum Figures {
  /// Prints all figures; `folder` holds the files that `--files` wrote.
  static func print(_ folder: String) throws {
    // First, while the heap is fresh; both are held, so that neither fills the other's gaps.
    let notes = try Held("\(folder)/notes.mid")
    let mixed = try Held("\(folder)/mixed.mid")
    show("bytes an event, notes", "B", notes.bytesAnEvent, limit: 11)
    show("bytes an event, mixed", "B", mixed.bytesAnEvent, limit: nil)
    try show("free notes, 10 M events", "ms", freeing(SampleSong.notes(10_000_000)), limit: 50)
    let delays = try insertDelays(of: SampleSong.notes(1_000_000), count: 20_000)
    for (name, index) in [("median", delays.count / 2), ("worst", delays.count - 1)] {
      show("insert, a copy held: \(name)", "ms", delays[index], limit: 0.1)
    }
  }

  private static func show(_ name: String, _ unit: String, _ value: Double, limit: Double?) {
    let bound = limit.map { "\($0)" } ?? "null"
    Swift.print(
      "{\"figure\":\"\(name)\",\"unit\":\"\(unit)\",\"value\":\(value),\"limit\":\(bound)}")
  }

  /// Milliseconds of the thread until a sequence is gone: the median of five.
  private static func freeing(_ bytes: [UInt8]) throws -> Double {
    try (0..<5).map { _ in
      var file: SequenceFile? = try SMFReader().read(bytes)
      precondition(file != nil)
      let start = ownTime
      file = nil
      return ownTime - start
    }.sorted()[2]
  }

  /// Milliseconds of each of many inserts all over one track, an undo copy held; sorted.
  ///
  /// The same inserts are made five times over, and of each the shortest time counts: what a busy
  /// machine takes away is no insert, and it hardly takes it from the same one five times.
  private static func insertDelays(of bytes: [UInt8], count: Int64) throws -> [Double] {
    let whole = try SMFReader().read(bytes).sequences[0]
    let single = try SMFReader().read(try SMFWriter().write(whole, format: .single))
    var delays = [Double](repeating: .infinity, count: Int(count))
    for _ in 0..<5 {
      var track = single.sequences[0].tracks[0]
      let end = track.length.value
      for index in 0..<count {
        let delay = try insertDelay(into: &track, at: Tick(index * 7919 % end))
        delays[Int(index)] = min(delays[Int(index)], delay)
      }
    }
    return delays.sorted()
  }

  private static func insertDelay(into track: inout MusicTrack, at tick: Tick) throws -> Double {
    let held = track
    let note = Note(Channel(index: 0), Key(60), duration: 1)
    let start = ownTime
    try track.insert(.note(note), at: tick)
    let delay = ownTime - start
    precondition(held.count + 1 == track.count)
    return delay
  }

  /// Milliseconds that this thread has run.
  private static var ownTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}

/// A file that was read and whose bytes were let go.
private struct Held {
  let file: SequenceFile
  let bytesAnEvent: Double

  init(_ path: String) throws {
    // Once to warm up: what the reader needs for itself is there then.
    _ = try SMFReader().read(SampleSong.notes(1000))
    let before = Self.resident
    file = try SMFReader().read([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
    let held = Self.resident - before
    bytesAnEvent = Double(held) / Double(try SequenceSummary(file).events)
  }

  /// Bytes of memory the process holds, as the kernel counts its pages.
  private static var resident: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var (total, resident) = (0, 0)
    withUnsafeMutablePointer(to: &total) { total in
      withUnsafeMutablePointer(to: &resident) { resident in
        _ = withVaList([total, resident]) { vfscanf(file, "%ld %ld", $0) }
      }
    }
    return resident * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
