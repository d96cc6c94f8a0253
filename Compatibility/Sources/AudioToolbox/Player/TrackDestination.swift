// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import CoreMIDI
internal import MIDIMessages
internal import MusicalTime
internal import SequencePlayback

/// Where a track's events go when a player starts.
enum TrackDestination: Hashable, Sendable {
  /// The first music device of the sequence's graph.
  case standard
  /// A node of the sequence's graph.
  case node(AUNode)
  /// A MIDI endpoint.
  case endpoint(MIDIEndpointRef)
}

/// A graph as a player needs it: whether it has a node, and what takes events for its units.
///
/// - Note: any thread may use it.
protocol GraphDestination: AnyObject, Sendable {
  /// Whether the graph has a node.
  func contains(_ node: AUNode) -> Bool

  /// What takes events for the unit of a node, at host times; nil where the node has none that
  /// plays. Without a node: for the first music device.
  func openSink(_ node: AUNode?) -> (any EventSink<HostTime>)?

  /// Makes the graph sound, as the start of a player of a score does.
  func startForPlayer(_ score: PlayerScore)

  /// The first instant from one on at which what begins now is heard from its first frame on.
  func startTime(atOrAfter time: HostTime) -> HostTime

  /// Frames a second of the slices for which the program itself asks; nil where a device does.
  var sliceRate: SampleRate? { get }

  /// The node of the first music device, of those in graphs within too; nil where there is none.
  var firstInstrument: AUNode? { get }

  /// The instrument of a node, or the first; nil where there is none that is ready.
  func instrument(_ node: AUNode?) -> InstrumentPlayer?

  /// Has a listener told of each slice.
  func add(_ listener: any SliceListener)

  /// Ends that.
  func remove(_ listener: any SliceListener)

  /// Ends it, and its sound.
  func dismiss()
}

/// The graphs and endpoints of the process.
enum TrackDestinations {
  /// The graph of a handle; nil where it is none.
  static func graph(_ handle: AUGraph?) -> (any GraphDestination)? {
    unsafe GraphObject.find(handle)
  }

  /// The graph that a sequence without one is given: a music device, and an output; nil where there
  /// is none to be had.
  static func makeStandardGraph() -> AUGraph? { unsafe GraphObject.standard()?.pointer }

  /// What takes events for a MIDI endpoint, at host times; nil where there is none of the number.
  static func openSink(_ endpoint: MIDIEndpointRef) -> (any EventSink<HostTime>)? {
    EndpointSink.isThere(endpoint) ? EndpointSink(to: endpoint) : nil
  }
}
