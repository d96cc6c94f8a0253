// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
internal import FileNames
internal import Glibc
package import JSONText
package import MusicSequences
internal import MusicalTime
internal import PlayerControl

/// A file that was written, as other programs are told of it.
package struct WrittenFile {
  private let output: String
  private let file: String?
  private var members: JSONReport.Members = []

  /// Names a file that was written.
  ///
  /// - Parameters:
  ///   - output: its path.
  ///   - file: what it was made of, as that was named; nil where it was made of no file.
  ///   - kind: what it is: `midi`, or the suffix that names such a file.
  package init(_ output: String, from file: String?, kind: String) {
    (self.output, self.file) = (output, file)
    members = [
      ("file", JSONReport.path(file)), ("output", .path(output)), ("kind", .text(kind)),
      ("bytes", Self.length(of: output).map { .integer($0) } ?? .null),
    ]
  }

  /// A song that was written, with what it cannot say.
  package static func song(
    _ output: String, from file: String?, _ written: SequenceFile, losses: [SaveLoss],
    kind: String = "midi"
  ) throws(SequenceError) -> WrittenFile {
    var document = WrittenFile(output, from: file, kind: kind)
    let summary = try SequenceSummary(written)
    document.add("seconds", .decimal(summary.length.decimal(9)))
    document.add("tracks", .integer(written.trackCount))
    document.add("events", .integer(summary.events))
    document.add("losses", .array(losses.map { .text("\($0)") }))
    return document
  }

  /// A sound that was written, as it is found there; of what is no file nothing is known.
  package static func sound(
    _ output: String, from file: String?, kind: SoundFileFormat.Container
  ) throws -> WrittenFile {
    var document = WrittenFile(output, from: file, kind: kind.rawValue)
    guard length(of: output) != nil else { return document }
    let reader = try SoundFileReader(path: output)
    let frames = reader.frameCount == .max ? nil : reader.frameCount
    let rate = Int(reader.rate.hertz)
    let seconds = frames.map { Ratio(Int64($0), over: Int64(rate)).decimal(9) }
    document.add("seconds", seconds.map { .decimal($0) } ?? .null)
    document.add("frames", frames.map { .integer($0) } ?? .null)
    document.add("rate", .integer(rate))
    document.add("channels", .integer(reader.channelCount))
    document.add("bits", JSONReport.text(reader.format?.encoding.rawValue))
    return document
  }

  /// Adds a fact.
  package mutating func add(_ name: String, _ value: JSONValue) {
    members.append((name, value))
  }

  /// What is known of it, as a part of another document.
  package var facts: JSONValue { .object(members.filter { $0.name != "file" }) }

  /// Tells of it.
  ///
  /// - Parameter status: what the command would end with, were there nothing else.
  package func tell(_ status: ExitStatus = .success) {
    JSONReport.write(
      "written", members + [("exitStatus", .integer(Int(status.rawValue)))])
  }

  /// The bytes of a file; nil of what is none, as a device.
  package static func length(of path: String) -> Int? {
    var status = stat()
    guard path.withSystemPath({ unsafe stat($0, &status) }) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }
}
