// SPDX-License-Identifier: Apache-2.0
import ALSAAudio
import MusicalTime
import Testing

@testable import CommandKit
@testable import CommandOptions
@testable import DownbeatCommand

struct DeviceWatchTests {
  private func device(_ name: String, _ policy: DeviceLossPolicy) throws -> OutputDevice {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.device = "null"
    return OutputDevice(
      unit: try ALSAOutputUnit(rate: .hertz48000, wishes: wishes), name: name, reason: "",
      lossPolicy: policy)
  }

  @Test func `a device that was replaced before the first check is reported once`() throws {
    var watch = DeviceWatch(try device("jack:none", .move))
    #expect(try watch.look() == .moved)
    #expect(try watch.look() == nil)
  }

  @Test func `with the policy stop, the loss of the device ends the playback`() throws {
    var watch = DeviceWatch(try device("jack:none", .stop))
    #expect(throws: Failure.self) { try watch.look() }
  }

  @Test func `a device that is present is not reported`() throws {
    var watch = DeviceWatch(try device("null", .move))
    #expect(try watch.look() == nil)
  }
}
