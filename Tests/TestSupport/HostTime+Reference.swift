// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension HostTime {
  /// The same instant where there is no output: reference time is host time.
  public var reference: ReferenceTime { TimeBase.host.time(at: self) }
}
