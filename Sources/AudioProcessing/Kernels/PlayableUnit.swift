// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A unit that sounds what it is sent: an instrument, for a session or a graph of one's own.
public protocol PlayableUnit: ProcessingUnit, EventSink<ReferenceTime> {
  /// Whether no event waits and nothing sounds.
  ///
  /// - Note: Any thread.
  var isSilent: Bool { get }
}
