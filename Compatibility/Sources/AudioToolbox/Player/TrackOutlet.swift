// SPDX-License-Identifier: Apache-2.0
package import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
package import MIDIMessages
package import MusicalTime
internal import Synchronization

/// A destination of tracks that is neither a node of a graph nor an endpoint.
package final class TrackOutlet: Hashable, Sendable {
  private let number: Int
  /// Creates the destination for events at host times; nil for none.
  let openSink: @Sendable () -> (any EventSink<HostTime>)?
  /// The first instant, from one on, at which an event is played in time.
  let startTime: @Sendable (HostTime) -> HostTime
  /// The destination for players that advance with slices; nil for none.
  let slices: Slices?

  /// The destination of an outlet for players that advance with slices.
  package struct Slices: Sendable {
    /// Renders the slices.
    let host: any SliceHost
    /// Creates the destination.
    let open: @Sendable () -> any SliceDestination

    /// Creates the destination of an outlet.
    ///
    /// - Parameters:
    ///   - host: Renders the slices.
    ///   - open: Creates the destination.
    package init(
      _ host: any SliceHost, open: @escaping @Sendable () -> any SliceDestination
    ) {
      (self.host, self.open) = (host, open)
    }
  }

  private static let count = Atomic(0)

  /// Creates an outlet.
  ///
  /// - Parameters:
  ///   - openSink: Creates the destination for events at host times; nil for none.
  ///   - startTime: Returns the first instant, from one on, at which an event is played in time.
  ///   - slices: The destination for players that advance with slices; nil, the default, for none.
  package init(
    openSink: @escaping @Sendable () -> (any EventSink<HostTime>)?,
    startTime: @escaping @Sendable (HostTime) -> HostTime, slices: Slices? = nil
  ) {
    number = Self.count.add(1, ordering: .relaxed).newValue
    self.openSink = openSink
    self.startTime = startTime
    self.slices = slices
  }

  /// Returns true for the same object.
  ///
  /// - Parameters:
  ///   - first: An outlet.
  ///   - second: Another outlet.
  /// - Returns: True for the same object.
  package static func == (first: TrackOutlet, second: TrackOutlet) -> Bool { first === second }

  /// Adds the number of the outlet to a hash value.
  ///
  /// - Parameter hasher: The hash value.
  package func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The name of the destination in a score.
  var name: String { "outlet \(number)" }

  /// Sets the destination of a track.
  ///
  /// - Parameters:
  ///   - outlet: The destination; nil for that of the sequence.
  ///   - track: The track.
  /// - Returns: `noErr`; `ParamError`; `InvalidPlayerState` while the track is played.
  @discardableResult
  package static func set(_ outlet: TrackOutlet?, of track: MusicTrack?) -> OSStatus {
    status { () throws(StatusError) in
      let track = unsafe try object(track, TrackBox.self)
      try given(track.sequence).requireStanding()
      try track.edit { (content) throws(StatusError) in
        content.destination = outlet.map { .outlet($0) } ?? .standard
      }
    }
  }

  /// Sets the destination of the tracks that have none, in place of a graph.
  ///
  /// - Parameters:
  ///   - outlet: The destination.
  ///   - sequence: The sequence.
  /// - Returns: `noErr`; `ParamError`.
  @discardableResult
  package static func setStandard(
    _ outlet: TrackOutlet, of sequence: MusicSequence?
  ) -> OSStatus {
    status { () throws(StatusError) in
      unsafe try object(sequence, SequenceBox.self).outlet = outlet
    }
  }
}
