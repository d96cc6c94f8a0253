// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import CoreMIDI
internal import MIDIMessages
internal import MusicalTime
internal import SequencePlayback

/// The destination of a track's events while a player plays.
enum TrackDestination: Hashable, Sendable {
  /// The first music device of the sequence's graph.
  case standard
  /// A node of the sequence's graph.
  case node(AUNode)
  /// A MIDI endpoint.
  case endpoint(MIDIEndpointRef)
  /// An instrument of an engine.
  case outlet(TrackOutlet)
}

/// A graph as a player uses it.
///
/// - Note: Any thread.
protocol GraphDestination: SliceHost {
  /// True if the graph has the node.
  func contains(_ node: AUNode) -> Bool

  /// Opens a sink for events at host times.
  ///
  /// Without a node, the sink belongs to the first instrument. Returns nil if the node does not
  /// have an instrument.
  func openSink(_ node: AUNode?) -> (any EventSink<HostTime>)?

  /// Initializes and starts the graph for a player of the score.
  func startForPlayer(_ score: PlayerScore)

  /// The first time, at or after `time`, at which a start is audible from its first frame on.
  func startTime(atOrAfter time: HostTime) -> HostTime

  /// The node of the first instrument, also in subgraphs; nil without an instrument.
  var firstInstrument: AUNode? { get }

  /// The instrument of a node, or of the first instrument node; nil if it is not initialized.
  func instrument(_ node: AUNode?) -> InstrumentPlayer?

  /// Stops and frees the graph.
  func dismiss()
}

/// The graphs and endpoints of the process.
enum TrackDestinations {
  /// The graph of a handle, or nil if the handle is invalid.
  static func graph(_ handle: AUGraph?) -> (any GraphDestination)? {
    unsafe GraphObject.find(handle)
  }

  /// Creates the graph for a sequence without a graph: a synthesiser and an output; nil if a
  /// million objects exist.
  static func makeStandardGraph() -> AUGraph? { unsafe GraphObject.standard()?.pointer }

  /// Opens a sink for events at host times, or returns nil if the endpoint does not exist.
  static func openSink(_ endpoint: MIDIEndpointRef) -> (any EventSink<HostTime>)? {
    EndpointSink.isThere(endpoint) ? EndpointSink(to: endpoint) : nil
  }
}
