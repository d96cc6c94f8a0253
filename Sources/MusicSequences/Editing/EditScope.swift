// SPDX-License-Identifier: Apache-2.0

/// The tracks of a sequence that an edit changes.
///
/// By default, edits that shift time change everything, so that tempo and meter stay with the
/// notes; edits that change notes change the music and leave the tempo track alone.
public struct EditScope: Hashable, Sendable {
  /// The indices of the tracks, or nil for all of them.
  public var tracks: [Int]?
  /// Whether the tempo track is edited too.
  public var includesTempoTrack: Bool

  /// Creates a scope.
  public init(tracks: [Int]?, includesTempoTrack: Bool) {
    self.tracks = tracks
    self.includesTempoTrack = includesTempoTrack
  }

  /// All tracks and the tempo track.
  public static let everything = EditScope(tracks: nil, includesTempoTrack: true)

  /// All tracks without the tempo track.
  public static let music = EditScope(tracks: nil, includesTempoTrack: false)

  /// One track.
  public static func track(_ index: Int) -> EditScope { tracks([index]) }

  /// Some tracks.
  public static func tracks(_ indices: [Int]) -> EditScope {
    EditScope(tracks: indices, includesTempoTrack: false)
  }
}

extension MusicSequence {
  /// The indices of a scope's tracks, each once, in order.
  ///
  /// - Throws: `SequenceError.outOfRange` where there is no such track.
  func indices(in scope: EditScope) throws(SequenceError) -> [Int] {
    guard let wanted = scope.tracks else { return Array(tracks.indices) }
    for index in wanted where !tracks.indices.contains(index) {
      throw .outOfRange("track \(index + 1) does not exist (number of tracks: \(tracks.count))")
    }
    return Set(wanted).sorted()
  }

  /// Edits every track of a scope; where one throws, none is edited.
  mutating func edit(
    _ scope: EditScope, _ change: (inout MusicTrack) throws(SequenceError) -> Void
  ) throws(SequenceError) {
    var copy = self
    for index in try indices(in: scope) { try change(&copy.tracks[index]) }
    if scope.includesTempoTrack { try change(&copy.tempoTrack) }
    self = copy
  }
}
