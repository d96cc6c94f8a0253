// SPDX-License-Identifier: Apache-2.0
package import MusicalTime

/// A graph or an engine that may be rendered in slices by calls of the program; players then advance
/// with the slices.
package protocol SliceHost: AnyObject, Sendable {
  /// The sample rate if the program renders the slices, or nil if a device does.
  var sliceRate: SampleRate? { get }

  /// Adds a listener that is called before each slice.
  func add(_ listener: any SliceListener)

  /// Removes a listener.
  func remove(_ listener: any SliceListener)
}
