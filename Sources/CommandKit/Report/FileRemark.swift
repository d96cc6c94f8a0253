package import Downbeat
// SPDX-License-Identifier: Apache-2.0
package import JSONText
package import MusicSequences
internal import MusicalTime

/// A repair of a file or a remark about it, with its position.
package struct FileRemark {
  package let kind: String
  package let track: Int?
  package let tick: Int64?
  package let offset: Int?
  package let message: String
  package let others: String?

  package init(_ repair: Repair, tracks: Int) {
    kind = repair.kind.rawValue
    (track, tick, offset) = (repair.track, repair.tick?.value, repair.offset)
    (message, others) = (repair.message, repair.others(tracks: tracks))
  }

  package init(_ remark: PortabilityRemark, _ decoder: TextDecoder) {
    kind = remark.kind.rawValue
    (track, tick, offset) = (remark.track, remark.tick, remark.offset)
    let encoding = remark.kind == .textEncoding ? " (read as \(decoder.encoding))" : ""
    (message, others) = (remark.message + encoding, remark.others)
  }

  package var place: String {
    let parts = [
      track.map { "track \($0 + 1)" }, tick.map { "tick \($0)" }, offset.map { "byte \($0)" },
    ]
    let words = parts.compactMap { $0 }.joined(separator: ", ")
    return words.isEmpty ? "" : words + ": "
  }

  package var json: JSONValue {
    .object([
      ("track", track.map { .integer($0) } ?? .null),
      ("tick", tick.map { .integer(Int($0)) } ?? .null),
      ("offset", offset.map { .integer($0) } ?? .null), ("kind", .text(kind)),
      ("message", .text(message)), ("others", others.map { .text($0) } ?? .null),
    ])
  }

  /// The repairs of a file as JSON.
  package static func repairs(of file: SequenceFile) -> [JSONValue] {
    file.repairs.filter { !$0.isRemark }.map { FileRemark($0, tracks: file.trackCount).json }
  }
}
