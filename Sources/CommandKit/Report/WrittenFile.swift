// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
internal import FileNames
internal import Glibc
package import JSONText
package import MusicSequences
internal import MusicalTime
internal import PlayerControl

/// The report of a file that was written, for other programs.
package struct WrittenFile {
  private let output: String
  private let file: String?
  private var members: JSONReport.Members = []

  /// Creates the report of a file.
  ///
  /// - Parameters:
  ///   - output: The path of the file.
  ///   - file: The input, as it was named; nil for none.
  ///   - kind: The kind of the file: `midi`, or the suffix of its format.
  package init(_ output: String, from file: String?, kind: String) {
    (self.output, self.file) = (output, file)
    members = [
      ("file", JSONReport.path(file)), ("output", .path(output)), ("kind", .text(kind)),
      ("bytes", Self.length(of: output).map { .integer($0) } ?? .null),
    ]
  }

  /// The report of a song, with its losses.
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

  /// The report of a sound, read from the file; without details if it is not a regular file.
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

  /// Adds a member.
  package mutating func add(_ name: String, _ value: JSONValue) {
    members.append((name, value))
  }

  /// The members without the input, for use in another document.
  package var facts: JSONValue { .object(members.filter { $0.name != "file" }) }

  /// Reports the file.
  ///
  /// - Parameter status: The exit status that the command would have for this file alone.
  package func tell(_ status: ExitStatus = .success) {
    JSONReport.write(
      "written", members + [("exitStatus", .integer(Int(status.rawValue)))])
  }

  /// The size of a file in bytes; nil if it is not a regular file, such as a device.
  package static func length(of path: String) -> Int? {
    var status = stat()
    guard path.withSystemPath({ unsafe stat($0, &status) }) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }
}
