// SPDX-License-Identifier: Apache-2.0
internal import CSMF
internal import Glibc

/// The lines that describe the sequence that libsmf has read.
@safe struct Listing {
  private let sequence: UnsafeMutablePointer<smf_t>
  private var lines: [UInt8] = []

  init(_ sequence: UnsafeMutablePointer<smf_t>) {
    unsafe self.sequence = unsafe sequence
  }

  mutating func printAll() {
    let header = unsafe sequence.pointee
    append("file \(unsafe header.format) \(unsafe header.ppqn) \(unsafe header.number_of_tracks)")
    for number in 0..<(unsafe header.number_of_tracks) { appendTrack(number) }
    appendTempi()
    append("length \(unsafe smf_get_length_seconds(sequence))")
    flush()
  }

  private mutating func appendTrack(_ number: Int32) {
    guard let track = unsafe smf_get_track_by_number(sequence, number + 1) else { return }
    for index in 0..<(unsafe track.pointee.number_of_events) {
      guard let event = unsafe smf_track_get_event_by_number(track, index + 1) else { continue }
      append("event \(number) \(unsafe event.pointee.time_pulses) \(unsafe hex(of: event))")
      if lines.count > 1 << 16 { flush() }
    }
  }

  private mutating func appendTempi() {
    var index: Int32 = 0
    while let tempo = unsafe smf_get_tempo_by_number(sequence, index) {
      let change = unsafe tempo.pointee
      append("tempo \(change.time_pulses) \(change.microseconds_per_quarter_note)")
      index += 1
    }
  }

  private func hex(of event: UnsafeMutablePointer<smf_event_t>) -> String {
    let digits = Array("0123456789abcdef")
    var text = ""
    for index in 0..<Int(unsafe event.pointee.midi_buffer_length) {
      let byte = unsafe event.pointee.midi_buffer[index]
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }

  private mutating func append(_ line: String) {
    lines.append(contentsOf: line.utf8)
    lines.append(UInt8(ascii: "\n"))
  }

  private mutating func flush() {
    var rest = lines[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      guard count > 0 else { exit(1) }
      rest = rest.dropFirst(count)
    }
    lines.removeAll(keepingCapacity: true)
  }
}
