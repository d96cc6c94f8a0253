// SPDX-License-Identifier: Apache-2.0
import NetworkSockets
import Testing

@Suite struct SocketAddressTests {
  @Test(arguments: ["127.0.0.1:5004", "[::1]:5004", "[fe80::1%1]:65535", "0.0.0.0:0"])
  func `addresses are read and written alike`(text: String) throws {
    #expect(try SocketAddress(parsing: text).description == text)
  }

  @Test func `a port that is not named is the default`() throws {
    #expect(try SocketAddress(parsing: "::1", defaultPort: 9).description == "[::1]:9")
    #expect(try SocketAddress(parsing: "[::1]", defaultPort: 9).description == "[::1]:9")
    #expect(try SocketAddress(parsing: "1.2.3.4", defaultPort: 9).description == "1.2.3.4:9")
    #expect(try SocketAddress(parsing: "1.2.3.4:8", defaultPort: 9).description == "1.2.3.4:8")
  }

  @Test(arguments: [
    "", ":1", "1.2.3.4", "1.2.3.4:", "1.2.3.4:65536", "[::1", "[::1]x", "a:b", "::1",
  ])
  func `an invalid address and port is refused`(text: String) {
    #expect(throws: NetworkError.badAddress(text)) { try SocketAddress(parsing: text) }
  }

  @Test func `an error is a sentence with a remedy`() throws {
    #expect(
      NetworkError.badAddress("x").description
        == "'x': not an address and a port (such as 192.168.0.5:5004, or [fe80::1%eth0]:5004)")
    let taken = try SocketAddress(parsing: "1.2.3.4:5")
    #expect(
      NetworkError.cannotBind(taken, code: 98).description
        == "1.2.3.4:5: in use by another program (choose another port)")
    #expect(
      NetworkError.cannotConnect(taken, code: 111).description
        == "1.2.3.4:5: cannot be reached: connection refused")
  }

  @Test func `a host name is resolved to addresses`() throws {
    let addresses = try HostName.resolve("localhost:7")
    #expect(addresses.allSatisfy { $0.address.isLoopback && $0.port == 7 })
    #expect(try HostName.resolve("10.0.0.1", defaultPort: 7).map(\.description) == ["10.0.0.1:7"])
    #expect(throws: NetworkError.badAddress("nowhere")) { try HostName.resolve("nowhere") }
  }

  @Test func `interfaces are listed with the loopback`() throws {
    let interfaces = try NetworkInterface.list()
    let loopback = try #require(interfaces.first { $0.isLoopback })
    #expect(loopback.name == "lo" && loopback.index > 0)
    #expect(!loopback.isUp || loopback.addresses.contains(.loopbackV4))
  }
}
