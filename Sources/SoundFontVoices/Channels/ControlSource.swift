// SPDX-License-Identifier: Apache-2.0

/// A source of a part's controllers, in the order of GS 40 2x.
package enum ControlSource: Int, BitwiseCopyable, Sendable {
  case modulation, bend, pressure, keyPressure, first, second

  package static var count: Int {
    @_noAllocation @_noLocks
    get { 6 }
  }
}
