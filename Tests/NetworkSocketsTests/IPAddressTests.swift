// SPDX-License-Identifier: Apache-2.0
import NetworkSockets
import Testing

@Suite struct IPAddressTests {
  @Test(arguments: [
    "0.0.0.0", "127.0.0.1", "192.168.10.254", "255.255.255.255", "::", "::1", "fe80::1:2",
    "fe80::1%1", "ff12::8080", "2001:db8::ffff",
  ])
  func `digits are read and written alike`(text: String) throws {
    #expect(try #require(IPAddress(text)).description == text)
  }

  @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "localhost", ":::", "fe80::1%", "::g"])
  func `an invalid address is refused`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func `an interface can be named`() throws {
    let address = try #require(IPAddress("fe80::1%lo"))
    #expect(address.description == "fe80::1%1")
  }

  @Test func `kinds of addresses are distinguished`() throws {
    func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }
    #expect(try address("127.8.9.1").isLoopback)
    #expect(try !address("128.0.0.1").isLoopback)
    #expect(try address("::1").isLoopback)
    #expect(try address("169.254.3.4").isLinkLocal)
    #expect(try address("fe80::3").isLinkLocal)
    #expect(try address("febf::3").isLinkLocal)
    #expect(try !address("fec0::3").isLinkLocal)
    for text in ["10.1.1.1", "172.16.0.1", "172.31.9.9", "192.168.3.3", "fd00::1", "127.0.0.1"] {
      #expect(try address(text).isPrivate, "\(text)")
    }
    for text in ["11.1.1.1", "172.32.0.1", "192.169.3.3", "2001:db8::1", "224.0.0.1"] {
      #expect(try !address(text).isPrivate, "\(text)")
    }
    #expect(try address("224.76.78.75").isMulticast)
    #expect(try address("ff12::8080").isMulticast)
    #expect(try !address("240.0.0.1").isMulticast)
  }

  @Test func `only what holds on one link takes a scope`() throws {
    #expect(IPAddress("fe80::1")?.scoped(to: 3).description == "fe80::1%3")
    #expect(IPAddress("2001:db8::1")?.scoped(to: 3).description == "2001:db8::1")
    #expect(IPAddress("10.0.0.1")?.scoped(to: 3).description == "10.0.0.1")
  }
}
