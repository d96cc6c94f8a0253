// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A unit that plays the events that it receives: an instrument.
public protocol PlayableUnit: ProcessingUnit, EventSink<ReferenceTime> {
  /// True if no events are waiting and the output is silent.
  ///
  /// - Note: Any thread.
  var isSilent: Bool { get }
}
