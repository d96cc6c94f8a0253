// SPDX-License-Identifier: Apache-2.0

/// The tracks of a sequence that an edit changes.
///
/// Edits that shift time use ``everything`` by default, so that tempo and meter stay with the
/// notes. Edits that change notes use ``music`` by default and leave the tempo track as it is.
public struct EditScope: Hashable, Sendable {
  /// The indices of the tracks, or nil for all of them.
  public var tracks: [Int]?
  /// True if the edit also changes the tempo track.
  public var includesTempoTrack: Bool

  /// Creates a scope.
  ///
  /// - Parameters:
  ///   - tracks: The indices of the tracks, or nil for all tracks.
  ///   - includesTempoTrack: True to edit the tempo track too.
  public init(tracks: [Int]?, includesTempoTrack: Bool) {
    self.tracks = tracks
    self.includesTempoTrack = includesTempoTrack
  }

  /// All tracks and the tempo track.
  public static let everything = EditScope(tracks: nil, includesTempoTrack: true)

  /// All tracks, but not the tempo track.
  public static let music = EditScope(tracks: nil, includesTempoTrack: false)

  /// One track, by its index.
  public static func track(_ index: Int) -> EditScope { tracks([index]) }

  /// Several tracks, by their indices.
  public static func tracks(_ indices: [Int]) -> EditScope {
    EditScope(tracks: indices, includesTempoTrack: false)
  }
}

extension MusicSequence {
  /// The indices of a scope's tracks, each once, in ascending order.
  ///
  /// - Throws: `SequenceError.outOfRange` if a track does not exist.
  func indices(in scope: EditScope) throws(SequenceError) -> [Int] {
    guard let wanted = scope.tracks else { return Array(tracks.indices) }
    for index in wanted where !tracks.indices.contains(index) {
      throw .outOfRange("track \(index + 1) does not exist (number of tracks: \(tracks.count))")
    }
    return Set(wanted).sorted()
  }

  /// Edits every track of a scope, or none if an edit throws an error.
  mutating func edit(
    _ scope: EditScope, _ change: (inout MusicTrack) throws(SequenceError) -> Void
  ) throws(SequenceError) {
    var copy = self
    for index in try indices(in: scope) { try change(&copy.tracks[index]) }
    if scope.includesTempoTrack { try change(&copy.tempoTrack) }
    self = copy
  }
}
