# frozen_string_literal: true

# The Ruby kit of Touchline 1.0.0 in one file, with the standard library only (3.0 or later).
#
#     require_relative 'touchline'
#     api = Touchline::Client.new('https://api.example.org', 'tk_...', 'the secret')
#     api.pages('/v1/tournaments/5f1d.../matches', status: 'finished') { |match| puts match['home']['name'] }
#
# Keep the secret on a server: whoever has it can ask everything that you can.
#
# SPDX-License-Identifier: 0BSD

require 'digest'
require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'
require 'time'
require 'timeout'
require 'uri'
require 'zlib'

module Touchline
  EMPTY_BODY = Digest::SHA256.hexdigest('')

  # The query as it is signed: each key and value encoded, the pairs sorted.
  def self.canonical_query(query)
    pairs = query.b.split('&').reject(&:empty?).map do |part|
      key, value = part.split('=', 2)
      [encode(key.to_s), encode(value.to_s)]
    end
    pairs.sort.map { |pair| pair.join('=') }.join('&')
  end

  def self.encode(text)
    decoded = text.b.gsub(/%(\h\h)/n) { Regexp.last_match(1).hex.chr }
    decoded.gsub(/[^A-Za-z0-9\-._~]/n) { |byte| format('%%%02X', byte.ord) }
  end

  # The string that is signed: six fields, a line feed between them.
  def self.canonical(method, path, query, timestamp, nonce)
    path = path.b.gsub(/%\h\h/n, &:upcase)
    [method.upcase.b, path, canonical_query(query), timestamp, nonce, EMPTY_BODY].join("\n")
  end

  def self.signature(secret, text)
    OpenSSL::HMAC.hexdigest('SHA256', secret, text)
  end

  # A refusal. Branch on status and code; quote request_id when you report it.
  # status is 0 where no whole answer came, after every attempt, and 200 where an answer
  # is not the service's, such as the page of a network that wants a login.
  class Error < StandardError
    attr_reader :status, :code, :details, :request_id, :headers

    def initialize(status, body, headers)
      error = (body && body['error']) || { 'message' => "the answer is not the service's" }
      @status, @code, @details, @headers = status, error['code'], error['details'], headers
      @request_id = headers['X-Request-Id']
      field = @details && @details['field'] ? ", field #{@details['field']}" : ''
      super("#{status} #{@code}: #{error['message']}#{field} (request #{@request_id})")
    end
  end

  class Client
    # Of the last answer, such as headers['X-RateLimit-Remaining'].
    attr_reader :headers

    # timeout is in seconds, for each attempt as a whole.
    def initialize(base_url, key_id, secret, attempts: 4, longest_wait: 120, timeout: 30, sleep: Kernel.method(:sleep))
      @base, @key_id, @secret = URI(base_url.sub(%r{/+\z}, '')), key_id, secret
      @attempts, @longest_wait, @timeout, @sleep = attempts, longest_wait, timeout, sleep
      @idle = [] # connections
      @offset = 0 # seconds that the service's clock is ahead of ours
    end

    # The body of one GET, decoded. Raises Error where it is refused.
    def get(path, **parameters)
      path, given = path.split('?', 2)
      query = [given, *parameters.compact.map { |key, value| "#{key}=#{Touchline.encode_value(value)}" }].compact.join('&')
      corrected = false
      attempt = 0
      loop do
        attempt += 1
        sent = Time.now.to_i
        begin
          @headers = answer = send_once(path, query, (sent + @offset).to_s)
          status = answer.code.to_i
          body = parse(answer.body)
        rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, Net::ProtocolError, Net::HTTPBadResponse, Zlib::Error => e
          @headers = answer = {}
          status, body = 0, { 'error' => { 'message' => "no answer: #{e.message}" } }
        end
        return body if status == 200 && body

        if status == 401 && !corrected && correct(answer, sent)
          corrected = true
          attempt -= 1
          next
        end
        wait = wait_after(status, answer, attempt)
        raise Error.new(status, body, answer) if wait.nil? || wait > @longest_wait || attempt >= @attempts

        @sleep.call(wait)
      end
    end

    # Every item of a list, page after page.
    def pages(path, limit: 100, **parameters)
      return enum_for(:pages, path, limit: limit, **parameters) unless block_given?

      page = 1
      loop do
        body = get(path, page: page, limit: limit, **parameters)
        body['data'].each { |item| yield item }
        break unless body['hasMore']

        page += 1
      end
    end

    private

    def send_once(path, query, timestamp)
      nonce = SecureRandom.urlsafe_base64(16) # new for each attempt
      text = Touchline.canonical('GET', path, query, timestamp, nonce)
      target = @base.path + path + (query.empty? ? '' : "?#{query}")
      request = Net::HTTP::Get.new(target,
                                   'Accept-Encoding' => 'gzip', 'X-Service-Key' => @key_id, 'X-Service-Timestamp' => timestamp,
                                   'X-Service-Nonce' => nonce, 'X-Service-Signature' => Touchline.signature(@secret, text))
      http = @idle.pop || connection
      answer = Timeout.timeout(@timeout) do
        http.start unless http.started?
        http.request(request)
      end
      raise EOFError, 'it is cut' if answer.body.bytesize < answer.content_length.to_i

      answer.body = Zlib.gunzip(answer.body) if answer['Content-Encoding'] == 'gzip'
      @idle.push(http)
      answer
    end

    # A connection through the proxy of the environment, which is kept open.
    def connection
      proxy = @base.find_proxy
      login = [proxy&.user, proxy&.password].map { |text| text && URI.decode_www_form_component(text) }
      http = Net::HTTP.new(@base.hostname, @base.port, proxy&.hostname, proxy&.port, *login)
      http.use_ssl = @base.scheme == 'https'
      http.max_retries = 0 # the nonce would be the same
      http.keep_alive_timeout = 15
      http
    end

    # An object of JSON; nil is a proxy's page.
    def parse(text)
      body = JSON.parse(text)
      body if body.is_a?(Hash)
    rescue JSON::ParserError, TypeError
      nil
    end

    # After a 401: takes the service's clock from Date; says whether ours was off.
    def correct(answer, sent)
      offset = Time.httpdate(answer['Date'].to_s).to_i - sent
      return false if (offset - @offset).abs < 60 || offset.abs > 86_400 # by a day at most

      @offset = offset
      true
    rescue ArgumentError, TypeError
      false
    end

    def wait_after(status, answer, attempt)
      after = answer['Retry-After'] if answer
      after ||= '60' if status == 429
      if after && [429, 503].include?(status)
        return after.to_i if after.match?(/\A\d+\z/)

        begin
          return [Time.httpdate(after) - Time.now, 0].max
        rescue ArgumentError
          return 60
        end
      end
      2**(attempt - 1) if [0, 500, 502, 503, 504].include?(status)
    end
  end

  # A value of a parameter as it is sent.
  def self.encode_value(value)
    value.to_s.b.gsub(/[^A-Za-z0-9\-._~]/n) { |byte| format('%%%02X', byte.ord) }
  end
end
