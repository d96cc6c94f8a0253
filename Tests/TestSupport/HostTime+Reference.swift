// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension HostTime {
  /// The same instant without an output, for which reference time equals host time.
  public var reference: ReferenceTime { TimeBase.host.time(at: self) }
}
